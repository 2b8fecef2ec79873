// @ts-check
// Plain JavaScript with checked types: for TypeScript each thread would load a compiler, and take four times as long
// to start in the place of one that was ended.
import { move, transferableSymbol, valueSymbol } from 'piscina';
import { decodeBmp, init, memoryBytes, recycle, TracesmithError, traceSync } from 'tracesmith-wasm';

/** @import { Job, Refused, Traced } from './job.ts' */

/** An engine that has grown past this is built anew; pictures of a few megapixels stay below. */
const KEPT_BYTES = 256 * 1024 * 1024;

// Piscina calls a worker ready when this module has been loaded, so the first job finds a compiled engine.
await init();

/** @param {Job} job */
export default function run(job) {
  try {
    const traced = trace(job);
    return move({ [transferableSymbol]: [traced.drawing.buffer], [valueSymbol]: traced });
  } catch (error) {
    // After a trap the package has already dropped its instance; the next job gets a new one.
    if (error instanceof TracesmithError) return refusal(error);
    throw error;
  } finally {
    // A module's memory never shrinks: one large picture would keep its gigabyte until the process ends.
    if (memoryBytes() > KEPT_BYTES) recycle();
  }
}

/**
 * @param {Job} job
 * @returns {Traced}
 */
function trace(job) {
  const startMs = performance.now();
  const image = 'pixels' in job ? job.pixels : readBmp(job);
  const decodedMs = performance.now();
  const svg = traceSync(image, job.options);
  const tracedMs = performance.now();
  // Here, as turning megabytes of text into bytes would hold up every other request on the main thread.
  const drawing = new TextEncoder().encode(job.form === 'json' ? JSON.stringify(svg) : svg);
  return {
    drawing,
    decodeMs: 'pixels' in job ? 0 : decodedMs - startMs,
    traceMs: tracedMs - decodedMs,
  };
}

/** @param {Extract<Job, { bmp: unknown }>} job */
function readBmp({ bmp, limits }) {
  return decodeBmp(bmp, { maxPixels: limits.maxPixels, maxSide: limits.maxSidePx });
}

/**
 * @param {TracesmithError} error
 * @returns {Refused}
 */
function refusal({ code, message }) {
  return { code, message };
}
