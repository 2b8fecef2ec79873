// Decodes and traces, away from the thread that answers to the person.
import { type ImageLike, initSync, type Progress, traceSync } from 'tracesmith-wasm';
import { nodesOf } from './painting/path-data.ts';
import { shapesOf } from './painting/svg-shapes.ts';
import type { TraceEnd, TraceReply, TraceRequest } from './trace-messages.ts';

/** The same limits that the service has by default. */
const MAX_PIXELS = 40_000_000;
const MAX_SIDE_PX = 16_384;

addEventListener('message', async ({ data }: MessageEvent<TraceRequest>) => {
  say(await answer(data).catch((error: unknown): TraceEnd => ({ problem: wordsOf(error) })));
});

const say = (reply: TraceReply) => postMessage(reply);

/** A bar shows no finer steps. */
const STEP = 0.01;

/** Passes on every step of the way. */
function steps(): (progress: Progress) => void {
  let next = 0;
  return ({ fraction }) => {
    if (fraction < next) return;
    say({ done: fraction });
    next = fraction + STEP;
  };
}

async function answer({ picture, options, engine }: TraceRequest): Promise<TraceEnd> {
  initSync(engine);
  const start = performance.now();
  const image = await decode(picture);
  const decoded = performance.now();
  const text = traceSync(image, options, { onProgress: steps() });
  const traced = performance.now();
  const svg = new Blob([text], { type: 'image/svg+xml' });
  const shapes = shapesOf(text);
  return {
    svg,
    width: image.width,
    height: image.height,
    paths: shapes.length,
    nodes: shapes.reduce((sum, { data }) => sum + nodesOf(data).length, 0),
    gzipBytes: await gzipBytes(svg),
    decodeMs: decoded - start,
    traceMs: traced - decoded,
  };
}

/** The browser decodes: the first frame, upright, in sRGB. */
async function decode(picture: Blob): Promise<ImageLike> {
  const bitmap = await createImageBitmap(picture).catch(() => {
    throw new Error('The browser cannot read this file as an image.');
  });
  const { width, height } = bitmap;
  if (width > MAX_SIDE_PX || height > MAX_SIDE_PX || width * height > MAX_PIXELS) {
    throw new Error(`The image is ${width} × ${height} pixels; at most 40 megapixels and 16,384 a side.`);
  }
  const context = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
  if (context === null) throw new Error('The browser has no canvas to decode with.');
  context.drawImage(bitmap, 0, 0);
  bitmap.close();
  return context.getImageData(0, 0, width, height);
}

async function gzipBytes(blob: Blob): Promise<number> {
  const zipped = blob.stream().pipeThrough(new CompressionStream('gzip'));
  return (await new Response(zipped).blob()).size;
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
