import type { Format, ImageLimits } from '../image/format.ts';
import type { StepTimings } from '../observability/step-timings.ts';
import type { Job, OutputFormat, TraceResult } from './job.ts';
import type { WorkerPool } from './worker-pool.ts';

/** A file with a known format and an accepted size. */
export interface InputImage {
  file: Buffer;
  format: Format;
  config?: Job['options'];
  outputFormat: OutputFormat;
}

/** Where and how long a job may run. */
export interface TraceContext {
  pool: WorkerPool;
  limits: ImageLimits & { processingTimeoutMs: number };
  /** Aborted when the result is no longer wanted. */
  signal: AbortSignal;
}

/** Decodes and traces an image on a worker thread, within the time limit. Adds both durations to `timings`. */
export async function decodeAndTrace(
  input: InputImage,
  { pool, limits, signal }: TraceContext,
  timings: StepTimings,
): Promise<TraceResult> {
  const result = await pool.run(toJob(input, limits), { timeoutMs: limits.processingTimeoutMs, signal });
  timings.add('decode', result.decodeMs, performance.now() - result.traceMs);
  timings.add('trace', result.traceMs);
  return result;
}

function toJob({ file, format, outputFormat, config = {} }: InputImage, limits: TraceContext['limits']): Job {
  // Settings may hold more than these, and not everything can be sent to a thread.
  const { maxPixels, maxSidePx, processingTimeoutMs } = limits;
  const jobLimits = { maxPixels, maxSidePx, processingTimeoutMs };
  return { file: withOwnBuffer(file), format, outputFormat, options: config, limits: jobLimits };
}

/** Small files lie in Node's shared buffer pool and are copied; larger ones have a buffer that can be transferred. */
function withOwnBuffer(file: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = file;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === file.length;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(file);
}
