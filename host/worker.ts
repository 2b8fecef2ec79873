import { decodeBmp, init, type Options, TracesmithError, traceSync } from 'tracesmith-wasm';
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

// Piscina calls a worker ready when this module has been loaded, so the first job finds a compiled engine.
await init();

export default function run(job: Job): Traced | Refused | Promise<never> {
  try {
    return trace(job);
  } catch (error) {
    if (error instanceof TracesmithError) return { code: error.code, message: error.message };
    return die(error);
  }
}

function trace(job: Job): Traced {
  const start = performance.now();
  const image =
    'pixels' in job
      ? job.pixels
      : decodeBmp(job.bmp, { maxPixels: job.limits.maxPixels, maxSide: job.limits.maxSidePx });
  const decoded = performance.now();
  const svg = traceSync(image, job.options);
  return { svg, decodeMs: 'pixels' in job ? 0 : decoded - start, traceMs: performance.now() - decoded };
}

/**
 * After a trap the instance's memory is in an unknown state: the whole thread ends, and the pool puts a new one in
 * its place. The error reaches the caller of the job, since the job never settles.
 */
function die(error: unknown): Promise<never> {
  setImmediate(() => {
    throw error;
  });
  return new Promise(() => {});
}
