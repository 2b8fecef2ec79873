// Decodes and traces images, so that the main thread stays responsive.
import { type ImageLike, initSync, type Progress, traceSync } from 'tracesmith-wasm';
import { DEFAULT_IMAGE_LIMITS } from '../config/image-limits.ts';
import { parsePath } from './painting/path-data.ts';
import { parseShapes } from './painting/svg-shapes.ts';
import type { FinalTraceReply, TraceReply, TraceRequest } from './trace-messages.ts';

addEventListener('message', async ({ data }: MessageEvent<TraceRequest>) => {
  post(await trace(data).catch((error: unknown): FinalTraceReply => ({ error: messageOf(error) })));
});

const post = (reply: TraceReply) => postMessage(reply);

/** The progress bar does not show smaller steps. */
const PROGRESS_STEP = 0.01;

/** Posts the progress when it has grown by a step. */
function progressReporter(): (progress: Progress) => void {
  let next = 0;
  return ({ fraction }) => {
    if (fraction < next) return;
    post({ progress: fraction });
    next = fraction + PROGRESS_STEP;
  };
}

async function trace({ image, options, engine }: TraceRequest): Promise<FinalTraceReply> {
  initSync(engine);
  const start = performance.now();
  const pixels = await decode(image);
  const decoded = performance.now();
  const text = traceSync(pixels, options, { onProgress: progressReporter() });
  const traced = performance.now();
  const svg = new Blob([text], { type: 'image/svg+xml' });
  const shapes = parseShapes(text);
  return {
    svg,
    width: pixels.width,
    height: pixels.height,
    paths: shapes.length,
    nodes: shapes.reduce((sum, { data }) => sum + parsePath(data).length, 0),
    gzipBytes: await gzipBytes(svg),
    decodeMs: decoded - start,
    traceMs: traced - decoded,
  };
}

/** Decodes with the browser's decoder: the first frame, with its orientation applied, in sRGB. */
async function decode(image: Blob): Promise<ImageLike> {
  const bitmap = await createImageBitmap(image).catch(() => {
    throw new Error('The browser cannot read this file as an image.');
  });
  const { width, height } = bitmap;
  const { maxPixels, maxSidePx } = DEFAULT_IMAGE_LIMITS;
  if (width > maxSidePx || height > maxSidePx || width * height > maxPixels) {
    const limits = `at most ${count(maxPixels)} pixels in total and ${count(maxSidePx)} per side are allowed.`;
    throw new Error(`The image is ${count(width)} × ${count(height)} pixels; ${limits}`);
  }
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser could not create a canvas to decode the image.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

const count = (value: number) => value.toLocaleString('en');

async function gzipBytes(blob: Blob): Promise<number> {
  const zipped = blob.stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(zipped).blob()).size;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
