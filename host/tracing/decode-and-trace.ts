import type { Format, ImageLimits } from '../image/format.ts';
import type { Timings } from '../observability/step-timings.ts';
import type { Form, Job, Traced } from './job.ts';
import type { Pool } from './worker-pool.ts';

/** A file whose format is known and whose size has been checked. */
export interface Input {
  file: Buffer;
  format: Format;
  config?: Job['options'];
  form: Form;
}

/** What decodes and traces, within which bounds, and for whom. */
export interface Means {
  pool: Pool;
  limits: ImageLimits & { processingTimeoutMs: number };
  /** Aborted when nobody waits for the drawing any more. */
  gone: AbortSignal;
}

/** Decodes and traces on one thread, within the time there is for both. Adds how long each took to `times`. */
export async function convert(input: Input, means: Means, times: Timings): Promise<Traced> {
  const { pool, limits, gone } = means;
  const traced = await pool.trace(toJob(input, limits), { timeoutMs: limits.processingTimeoutMs, gone });
  times.add('decode', traced.decodeMs);
  times.add('trace', traced.traceMs);
  return traced;
}

function toJob({ file, format, form, config = {} }: Input, limits: Means['limits']): Job {
  const { maxPixels, maxSidePx, processingTimeoutMs } = limits;
  const bounds = { maxPixels, maxSidePx, processingTimeoutMs };
  return { file: owned(file), format, form, options: config, limits: bounds };
}

/** Small files lie in a buffer that others use as well; the rest have one of their own. */
function owned(file: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = file;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === file.length;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(file);
}
