// @ts-check
// Plain JavaScript with checked types: for TypeScript, every thread would load a compiler, and a replacement thread
// would take four times as long to start.
import { threadId } from 'node:worker_threads';
import { move, transferableSymbol, valueSymbol, workerData } from 'piscina';
import * as wasm from 'tracesmith-wasm';
import { DecodeError, decodeRaster } from '../image/decode.mjs';
import { SmallPngDecoder } from '../image/small-png.mjs';
import { cpuMs } from './cpu-clock.mjs';
import { releaseMemory } from './engine-memory.mjs';
import { startTracing } from './job-control.mjs';
import { TraceGuard, TraceStopped } from './trace-guard.mjs';

/** @import { Pixels } from '../image/format.ts' */
/** @typedef {{ code: string, message: string, hasTrapped?: boolean }} Failure */
/** @import { Job, TraceFailure, TraceResult, WorkerSettings } from './job.ts' */

const { engine: engineName, keptBytes, pngModule } = /** @type {WorkerSettings} */ (workerData);
const smallPng = new SmallPngDecoder(pngModule);
const NO_PIXELS = new Uint8Array();
const engine = engineName === 'native' ? await import('tracesmith-native') : wasm;

// Piscina reports a worker as ready when this module has loaded, so the first job finds an engine. The service warms it up.
if (engine === wasm) await wasm.init({ gradients: true });

/**
 * Runs one job. Known errors are returned, as errors lose their fields between threads.
 *
 * @param {Job} job
 */
export default async function run(job) {
  const startMs = performance.now();
  const image = await decode(job).catch(toFailure);
  if ('code' in image) return failed(image, job);
  const { width, height } = image;
  const decodedMs = performance.now();
  const decodedCpuMs = cpuMs();
  const svg = trace(image, job);
  if (typeof svg !== 'string') return failed(svg, job);
  const tracedMs = performance.now();
  const traceCpuMs = cpuMs() - decodedCpuMs;
  // Encoding megabytes of text on the main thread would delay all other requests.
  const bytes = new TextEncoder().encode(job.outputFormat === 'json' ? JSON.stringify(svg) : svg);
  const durations = { decodeMs: decodedMs - startMs, traceMs: tracedMs - decodedMs, traceCpuMs };
  return moved(
    /** @type {TraceResult} */ ({ svg: bytes, width, height, ...durations, ...ran() }),
    bytes.buffer,
  );
}

/**
 * Traces an image within the limits of the job. Its memory is free before the text is encoded.
 *
 * @param {Pixels} image
 * @param {Job} job
 * @returns {string | Failure}
 */
function trace(image, job) {
  const pixelBytes = image.data.byteLength;
  // Else what an earlier, larger image left behind would count as this one's.
  releaseMemory({ keptBytes: job.limits.maxEngineBytes, pixelBytes: 0, hasTrapped: false });
  const outcome = tryToTrace(image, job);
  // The caller still refers to the image.
  image.data = NO_PIXELS;
  const hasTrapped = typeof outcome !== 'string' && outcome.hasTrapped === true;
  releaseMemory({ keptBytes, pixelBytes, hasTrapped });
  return outcome;
}

/**
 * Returns no error objects: as long as one exists, its stack refers to the engine's instance, and so to its memory.
 *
 * @param {Pixels} image
 * @param {Job} job
 * @returns {string | Failure}
 */
function tryToTrace(image, { limits, control, options }) {
  const guard = new TraceGuard(limits, control);
  startTracing(control);
  try {
    return engine.traceSync(image, options, { onProgress: () => guard.check() });
  } catch (error) {
    const failure = toFailure(error);
    const hasTrapped = failure.code === 'engine_failure';
    if (hasTrapped && guard.isNearlyFull) return { ...failure, code: 'memory_exceeded', hasTrapped };
    return { ...failure, hasTrapped };
  }
}

/**
 * Decodes any of the five formats. sharp does not support BMP, and only the WebAssembly package has a decoder for it.
 *
 * @param {Job} job
 * @returns {Promise<Pixels>}
 */
async function decode({ file, format, size, limits }) {
  if (format !== 'bmp') return smallPng.decode(file, format, size) ?? decodeRaster(file, limits);
  return wasm.decodeBmp(file, { maxPixels: limits.maxPixels, maxSide: limits.maxSidePx });
}

/** Types of errors that have a code. */
const KNOWN_ERRORS = [DecodeError, TraceStopped, engine.TracesmithError, wasm.TracesmithError];

/**
 * @param {unknown} error
 * @returns {Failure}
 */
function toFailure(error) {
  // V8 could not allocate: the machine has less memory than the settings promise.
  if (error instanceof RangeError) return { code: 'out_of_memory', message: error.message };
  const known = KNOWN_ERRORS.find((type) => error instanceof type);
  if (known === undefined) throw error;
  const { code, message } = /** @type {InstanceType<typeof known>} */ (error);
  return { code, message };
}

/**
 * @param {Failure} failure
 * @param {Job} job
 */
function failed({ code, message }, { file }) {
  return moved(/** @type {TraceFailure} */ ({ code, message, file, ...ran() }), file.buffer);
}

function ran() {
  return { thread: threadId, keptBytes: wasm.memoryBytes() };
}

/**
 * A result whose buffer is transferred to the main thread instead of copied.
 *
 * @param {object} value
 * @param {ArrayBuffer} buffer
 */
function moved(value, buffer) {
  return move({ [transferableSymbol]: [buffer], [valueSymbol]: value });
}
