import { decode, type ImageLimits, tookTooLong } from './decode.ts';
import type { Format } from './format.ts';
import type { Form, Job, Traced } from './job.ts';
import type { Pool } from './pool.ts';
import type { Timings } from './timings.ts';

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

/** Decodes and traces, within the time there is for both. Adds how long each took to `times`. */
export async function convert(input: Input, means: Means, times: Timings): Promise<Traced> {
  const { pool, limits, gone } = means;
  const job = await times.measure('decode', () => toJob(input, limits));
  gone.throwIfAborted();
  const timeoutMs = limits.processingTimeoutMs - times.get('decode');
  if (timeoutMs <= 0) throw tookTooLong();
  const traced = await pool.trace(job, { timeoutMs, gone });
  times.add('decode', traced.decodeMs);
  times.add('trace', traced.traceMs);
  return traced;
}

/** sharp has no BMP: that is decoded where it is traced, by the WebAssembly engine's own module. */
async function toJob(input: Input, limits: Means['limits']): Promise<Job> {
  const { file, format, form, config = {} } = input;
  const common = { options: config, form };
  if (format !== 'bmp') return { ...common, pixels: await decode(file, limits, limits.processingTimeoutMs) };
  const { maxPixels, maxSidePx } = limits;
  return { ...common, bmp: new Uint8Array(file), limits: { maxPixels, maxSidePx } };
}
