// @ts-check
// Plain JavaScript with checked types: for TypeScript each thread would load a compiler, and take four times as long
// to start in the place of one that was ended.
import { threadId } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import * as wasm from 'tracesmith-wasm';
import { decodeRaster, NotDecoded } from '../image/decode.mjs';

/** @import { Pixels } from '../image/format.ts' */
/** @import { EngineName, Job, Refused, Traced } from './job.ts' */

/** An engine that has grown past this is built anew; pictures of a few megapixels stay below. */
const KEPT_BYTES = 256 * 1024 * 1024;

const engine = /** @type {EngineName} */ (workerData) === 'native' ? await import('tracesmith-native') : wasm;

// Piscina calls a worker ready when this module has been loaded, so the first job finds a compiled engine. No longer than that: the
// service warms its threads itself, and one that takes the place of another, or the command line's, has a job waiting.
if (engine === wasm) await loadWasm();

/** @param {Job} job */
export default async function run(job) {
  try {
    const traced = await trace(job);
    return move({ [transferableSymbol]: [traced.drawing.buffer], [valueSymbol]: traced });
  } catch (error) {
    // After a trap the package has already dropped its instance; the next job gets a new one.
    if (isNamed(error)) return refusal(error);
    throw error;
  } finally {
    // A module's memory never shrinks: one large picture would keep its gigabyte until the process ends.
    if (wasm.memoryBytes() > KEPT_BYTES) wasm.recycle();
  }
}

/**
 * @param {Job} job
 * @returns {Promise<Traced>}
 */
async function trace(job) {
  const startMs = performance.now();
  const image = await read(job);
  const decodedMs = performance.now();
  const svg = engine.traceSync(image, job.options);
  const tracedMs = performance.now();
  // Here, as turning megabytes of text into bytes would hold up every other request on the main thread.
  const drawing = new TextEncoder().encode(job.form === 'json' ? JSON.stringify(svg) : svg);
  return {
    drawing,
    width: image.width,
    height: image.height,
    decodeMs: decodedMs - startMs,
    traceMs: tracedMs - decodedMs,
    thread: threadId,
  };
}

/**
 * sharp has no BMP, and only the WebAssembly engine has a decoder of it.
 *
 * @param {Job} job
 * @returns {Promise<Pixels>}
 */
async function read({ file, format, limits }) {
  if (format !== 'bmp') return decodeRaster(file, limits);
  await loadWasm();
  return wasm.decodeBmp(file, { maxPixels: limits.maxPixels, maxSide: limits.maxSidePx });
}

function loadWasm() {
  return wasm.init(undefined, { warmMs: 0 });
}

/**
 * @param {unknown} error
 * @returns {error is Refused}
 */
function isNamed(error) {
  return [NotDecoded, engine.TracesmithError, wasm.TracesmithError].some((kind) => error instanceof kind);
}

/**
 * @param {Refused} error
 * @returns {Refused}
 */
function refusal({ code, message }) {
  return { code, message };
}
