import { imageTooComplex } from '../errors/details.ts';
import { Problem } from '../errors/problem.ts';
import type { Format, ImageLimits, Size } from '../image/format.ts';
import type { StepTimings } from '../observability/step-timings.ts';
import type { DurationPredictor, ImageTraits } from './duration-predictor.ts';
import { type Job, LimitExceeded, type OutputFormat, type TraceResult } from './job.ts';
import { createJobControl } from './job-control.mjs';
import { detailOf, engineBytes, estimateMemory } from './memory-estimate.ts';
import type { Grant, Queue } from './queue.ts';
import type { WorkerPool } from './worker-pool.ts';

/** A file with a known format and an accepted size. */
export interface InputImage {
  file: Buffer;
  format: Format;
  size: Size;
  config?: Job['options'];
  outputFormat: OutputFormat;
}

/** What traces images, and for whom. */
export interface TraceContext {
  queue: Queue;
  pool: WorkerPool;
  /** Of elapsed time. */
  predictor: DurationPredictor;
  cpuPredictor: DurationPredictor;
  limits: ImageLimits & { processingTimeoutMs: number };
  account: string;
  /** Aborted when the result is no longer wanted. */
  signal: AbortSignal;
}

/**
 * Decodes and traces an image when it is its turn. It gets what most images of its size need; one that needs more runs
 * again with the most that its options can cost, and at last with the most that any image gets: no estimate refuses an
 * image. Adds the durations of the steps to `timings`.
 */
export async function traceImage(
  image: InputImage,
  context: TraceContext,
  timings: StepTimings,
): Promise<TraceResult> {
  const { expectedBytes, worstBytes } = estimateMemory(image.size, image.config ?? {});
  const attempts = new Attempts(image, context, timings);
  let [file, bytes] = [withOwnBuffer(image.file), expectedBytes];
  for (let isRetry = false; ; isRetry = true) {
    try {
      return await attempts.run(file, bytes, isRetry);
    } catch (error) {
      if (!(error instanceof LimitExceeded)) throw error;
      if (attempts.hadMost(error)) throw imageTooComplex(error.limit, attempts.granted);
      const wasWorst = error.limit === 'memory' && attempts.granted.bytes >= worstBytes;
      file = error.file;
      bytes = wasWorst ? context.queue.maxGrant.bytes : worstBytes;
    }
  }
}

/** One to three runs of an image. */
class Attempts {
  readonly #image: InputImage;
  readonly #context: TraceContext;
  readonly #timings: StepTimings;
  readonly #traits: ImageTraits;
  /** How long the image has been decoded and traced. */
  #spentMs = 0;
  granted: Grant = { bytes: 0, cpuMs: 0 };

  constructor(image: InputImage, context: TraceContext, timings: StepTimings) {
    const { file, format, size, config = {} } = image;
    this.#image = image;
    this.#context = context;
    this.#timings = timings;
    const pixels = size.width * size.height;
    this.#traits = { pixels, fileBytes: file.length, format, detail: detailOf(config) };
  }

  /** Whether a job was stopped although it had the most that any job gets. */
  hadMost({ limit }: LimitExceeded): boolean {
    const most = this.#context.queue.maxGrant;
    return limit === 'memory' ? this.granted.bytes >= most.bytes : this.granted.cpuMs >= most.cpuMs;
  }

  async run(file: Job['file'], bytes: number, isRetry: boolean): Promise<TraceResult> {
    const { queue, predictor, cpuPredictor, account, signal } = this.#context;
    const predictedMs = predictor.predictMs(account, this.#traits);
    const predictedCpuMs = cpuPredictor.predictMs(account, this.#traits);
    const estimate = { account, bytes, predictedMs, predictedCpuMs, isRetry };
    const endQueue = this.#timings.start('queue');
    return queue.run(estimate, signal, (grant) => {
      endQueue();
      this.granted = grant;
      return this.#trace(file);
    });
  }

  async #trace(file: Job['file']): Promise<TraceResult> {
    const { pool, limits, signal } = this.#context;
    const startMs = performance.now();
    const timeoutMs = Math.max(1, limits.processingTimeoutMs - this.#spentMs);
    try {
      const result = await pool.run(this.#jobOf(file), { timeoutMs, signal });
      this.#timings.add('decode', result.decodeMs, performance.now() - result.traceMs);
      this.#timings.add('trace', result.traceMs);
      this.#learn(result.decodeMs + result.traceMs, result.decodeMs + result.traceCpuMs);
      return result;
    } catch (error) {
      const elapsedMs = performance.now() - startMs;
      this.#spentMs += elapsedMs;
      if (error instanceof LimitExceeded || isTimeout(error)) {
        this.#timings.add('trace', elapsedMs);
        // It would have taken even longer.
        this.#learn(elapsedMs, elapsedMs);
      }
      throw error;
    }
  }

  #learn(ms: number, cpuMs: number): void {
    const { predictor, cpuPredictor, account } = this.#context;
    predictor.learn(account, this.#traits, ms);
    cpuPredictor.learn(account, this.#traits, cpuMs);
  }

  #jobOf(file: Job['file']): Job {
    const { format, size, outputFormat, config = {} } = this.#image;
    // Settings may hold more than these, and not everything can be sent to a thread.
    const { maxPixels, maxSidePx, processingTimeoutMs } = this.#context.limits;
    const maxEngineBytes = engineBytes(this.granted.bytes, this.#traits.pixels);
    const limits = {
      maxPixels,
      maxSidePx,
      processingTimeoutMs,
      maxEngineBytes,
      maxCpuMs: this.granted.cpuMs,
    };
    return { file, format, size, outputFormat, options: config, limits, control: createJobControl() };
  }
}

const isTimeout = (error: unknown) => error instanceof Problem && error.code === 'processing_timeout';

/** Small files lie in Node's shared buffer pool and are copied; larger ones have a buffer that can be transferred. */
function withOwnBuffer(file: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer } = file;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === file.length;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(file);
}
