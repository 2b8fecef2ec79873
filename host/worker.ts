import {
  decodeBmp,
  init,
  memoryBytes,
  type Options,
  recycle,
  TracesmithError,
  traceSync,
} from 'tracesmith-wasm';
import type { ImageLimits, Pixels } from './decode.ts';

/** What a worker is given: pixels, or a BMP, which only the engine's module can decode. */
export type Job = { options: Options } & (
  | { pixels: Pixels }
  | { bmp: Uint8Array<ArrayBuffer>; limits: ImageLimits }
);

export interface Traced {
  svg: string;
  /** Time in this worker's BMP decoder; 0 for other formats. */
  decodeMs: number;
  traceMs: number;
}

/** A failure the engine names: its errors lose their class and code on the way between threads. */
export interface Refused {
  code: string;
  message: string;
}

/** An engine that has grown past this is built anew; pictures of a few megapixels stay below. */
const KEPT_BYTES = 256 * 1024 * 1024;

// Piscina calls a worker ready when this module has been loaded, so the first job finds a compiled engine.
await init();

export default function run(job: Job): Traced | Refused {
  try {
    return trace(job);
  } catch (error) {
    // After a trap the package has already dropped its instance; the next job gets a new one.
    if (error instanceof TracesmithError) return { code: error.code, message: error.message };
    throw error;
  } finally {
    // A module's memory never shrinks: one large picture would keep its gigabyte until the process ends.
    if (memoryBytes() > KEPT_BYTES) recycle();
  }
}

function trace(job: Job): Traced {
  const start = performance.now();
  const image = 'pixels' in job ? job.pixels : decodeBmp(job.bmp, bmpLimits(job.limits));
  const decoded = performance.now();
  const svg = traceSync(image, job.options);
  return { svg, decodeMs: 'pixels' in job ? 0 : decoded - start, traceMs: performance.now() - decoded };
}

function bmpLimits({ maxPixels, maxSidePx }: ImageLimits) {
  return { maxPixels, maxSide: maxSidePx };
}
