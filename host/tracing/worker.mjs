// @ts-check
// Plain JavaScript with checked types: for TypeScript, every thread would load a compiler, and a replacement thread
// would take four times as long to start.
import { threadId } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import * as wasm from 'tracesmith-wasm';
import { DecodeError, decodeRaster } from '../image/decode.mjs';

/** @import { Pixels } from '../image/format.ts' */
/** @import { EngineName, Job, TraceFailure, TraceResult } from './job.ts' */

/** An engine whose memory has grown beyond this is discarded after the job; images of a few megapixels stay below. */
const MAX_KEPT_BYTES = 256 * 1024 * 1024;

const engine = /** @type {EngineName} */ (workerData) === 'native' ? await import('tracesmith-native') : wasm;

// Piscina reports a worker as ready when this module has loaded, so the first job finds a compiled engine. It does not
// warm up: the service does that itself, and a replacement thread or the command line has a job waiting.
if (engine === wasm) await loadWasm();

/**
 * Runs one job. Known errors are returned, as errors lose their fields between threads.
 *
 * @param {Job} job
 */
export default async function run(job) {
  try {
    const result = await trace(job);
    return move({ [transferableSymbol]: [result.svg.buffer], [valueSymbol]: result });
  } catch (error) {
    // After a trap, the package has already discarded its instance; the next job gets a new one.
    if (isKnown(error)) return toFailure(error);
    throw error;
  } finally {
    // WebAssembly memory never shrinks: after one large image, it would stay allocated until the process ends.
    if (wasm.memoryBytes() > MAX_KEPT_BYTES) wasm.recycle();
  }
}

/**
 * @param {Job} job
 * @returns {Promise<TraceResult>}
 */
async function trace(job) {
  const startMs = performance.now();
  const image = await decode(job);
  const decodedMs = performance.now();
  const svg = engine.traceSync(image, job.options);
  const tracedMs = performance.now();
  // Encoding megabytes of text on the main thread would delay all other requests.
  const text = job.outputFormat === 'json' ? JSON.stringify(svg) : svg;
  return {
    svg: new TextEncoder().encode(text),
    width: image.width,
    height: image.height,
    decodeMs: decodedMs - startMs,
    traceMs: tracedMs - decodedMs,
    thread: threadId,
  };
}

/**
 * Decodes any of the five formats. sharp does not support BMP, and only the WebAssembly package has a decoder for it.
 *
 * @param {Job} job
 * @returns {Promise<Pixels>}
 */
async function decode({ file, format, limits }) {
  if (format !== 'bmp') return decodeRaster(file, limits);
  await loadWasm();
  return wasm.decodeBmp(file, { maxPixels: limits.maxPixels, maxSide: limits.maxSidePx });
}

function loadWasm() {
  return wasm.init(undefined, { warmMs: 0 });
}

/**
 * @param {unknown} error
 * @returns {error is TraceFailure}
 */
function isKnown(error) {
  return [DecodeError, engine.TracesmithError, wasm.TracesmithError].some((type) => error instanceof type);
}

/**
 * @param {TraceFailure} error
 * @returns {TraceFailure}
 */
function toFailure({ code, message }) {
  return { code, message };
}
