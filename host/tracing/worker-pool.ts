import { EventEmitter } from 'node:events';
import { Piscina } from 'piscina';
import { HOST_FOLDER } from '#host-folder';
import { overloaded, processingTimeout, tooManyScans } from '../errors/details.ts';
import { Problem, problem } from '../errors/problem.ts';
import type { Format, Size } from '../image/format.ts';
import { MAX_SCANS } from '../image/jpeg-scans.mjs';
import type { WorkerExitReason } from '../observability/metrics.ts';
import { type Job, LimitExceeded, type TraceFailure, type TraceResult, type WorkerSettings } from './job.ts';
import { cancelJob, createJobControl, isTracing } from './job-control.mjs';

/**
 * How long a canceled job may go on. The engine asks whether to go on every few milliseconds, but at most 1.5 s apart in
 * images of a megapixel where each pixel is a shape. After that its thread is ended and replaced.
 */
const GRACE_MS = 5_000;

/** Measured: after about six calls, on any threads, V8 has compiled the module with its optimizing compiler for all. */
const WARM_UP_ROUNDS = 4;

const PNG_MODULE = new URL('image/png/png.wasm', HOST_FOLDER);

/** When memory of the machine may be free again. */
const MEMORY_RETRY_MS = 2_000;

/** When a job is canceled. */
export interface RunOptions {
  /** What is left of the job's `processingTimeoutMs`. */
  timeoutMs: number;
  /** Aborted when the result is no longer wanted. */
  signal: AbortSignal;
}

export interface WorkerPoolOptions extends Omit<WorkerSettings, 'pngModule'> {
  threads: number;
  /** Called for each thread that ended and was replaced. */
  onWorkerExit(reason: WorkerExitReason): void;
  /** Called with the error of a thread that failed without a job. */
  onIdleError(error: unknown): void;
}

/** The worker threads. The caller runs at most as many jobs at the same time. */
export class WorkerPool {
  readonly #piscina: Piscina<Job, TraceResult | TraceFailure>;
  readonly #threads: number;
  /** What the engines keep, by the ids of their threads. */
  readonly #keptBytes = new Map<number, number>();
  /** Why threads end now; undefined while all end, as the pool is closed. */
  #exitReason: WorkerExitReason | undefined = 'failure';
  #closed: Promise<void> | undefined;

  constructor({ threads, engine, keptBytes, onWorkerExit, onIdleError }: WorkerPoolOptions) {
    this.#threads = threads;
    this.#piscina = new Piscina({
      filename: new URL('tracing/worker.mjs', HOST_FOLDER).href,
      minThreads: threads,
      maxThreads: threads,
      // Workers need no TypeScript: with the flags of the main thread, each would load a compiler.
      execArgv: [],
      workerData: { engine, keptBytes, pngModule: PNG_MODULE.href } satisfies WorkerSettings,
    });
    this.#piscina.on('workerDestroy', () => {
      if (this.#exitReason !== undefined) onWorkerExit(this.#exitReason);
    });
    // An 'error' event without a listener would end the process.
    this.#piscina.on('error', onIdleError);
  }

  /** What all engines keep between jobs. */
  get keptBytes(): number {
    const ids = this.#piscina.threads.map(({ threadId }) => threadId);
    for (const id of this.#keptBytes.keys()) if (!ids.includes(id)) this.#keptBytes.delete(id);
    return [...this.#keptBytes.values()].reduce((sum, bytes) => sum + bytes, 0);
  }

  /** Traces `image`, a small PNG, on every thread until the engine's code is fully optimized. */
  async warmUp(image: Uint8Array, size: Size): Promise<void> {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      // Small PNG files do not need sharp; other formats do, and sharp does not look at the name of the format.
      const format = round % 2 === 0 ? 'png' : 'jpeg';
      const run = () => this.#runOnThread(warmUpJob(image, size, format));
      await Promise.all(Array.from({ length: this.#threads }, run));
    }
  }

  /**
   * Runs one job. Its buffer is transferred to the thread. Settles when the thread is free again, also after the job was
   * canceled. Throws `LimitExceeded` if the trace was stopped.
   */
  async run(job: Job, { timeoutMs, signal }: RunOptions): Promise<TraceResult> {
    // Piscina takes either, and a controller costs 17 µs a job.
    const stop = new EventEmitter();
    let reason: unknown;
    let patience: NodeJS.Timeout | undefined;
    const cancel = (exitReason: WorkerExitReason, cause: unknown) => {
      if (patience !== undefined) return;
      reason = cause;
      cancelJob(job.control);
      // A thread that still decodes is not ended: sharp has a time limit of its own.
      patience = setInterval(() => isTracing(job.control) && this.#endThread(stop, exitReason), GRACE_MS);
    };
    const { processingTimeoutMs } = job.limits;
    const onTimeout = () => cancel('timeout', processingTimeout(processingTimeoutMs));
    const timer = setTimeout(onTimeout, timeoutMs);
    const onAbort = () => cancel('client_disconnected', signal.reason);
    signal.addEventListener('abort', onAbort, { once: true });
    if (signal.aborted) onAbort();
    try {
      const result = await this.#runOnThread(job, stop);
      return resultOf(result, processingTimeoutMs);
    } catch (error) {
      throw reason ?? toProblem(error);
    } finally {
      clearTimeout(timer);
      clearInterval(patience);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async #runOnThread(job: Job, signal: EventEmitter | null = null): Promise<TraceResult | TraceFailure> {
    const result = await this.#piscina.run(job, { transferList: [job.file.buffer], signal });
    this.#keptBytes.set(result.thread, result.keptBytes);
    return result;
  }

  /** Piscina ends the thread at once. */
  #endThread(stop: EventEmitter, reason: WorkerExitReason): void {
    this.#exitReason = reason;
    stop.emit('abort');
    this.#exitReason = 'failure';
  }

  /** Resolves when all threads have ended. Idempotent. */
  close(): Promise<void> {
    this.#exitReason = undefined;
    this.#closed ??= this.#piscina.destroy();
    return this.#closed;
  }
}

function warmUpJob(image: Uint8Array, size: Size, format: Format): Job {
  const limits = {
    ...{ maxPixels: 1e6, maxSidePx: 1e4, processingTimeoutMs: 60_000 },
    ...{ maxEngineBytes: Number.POSITIVE_INFINITY, maxCpuMs: Number.POSITIVE_INFINITY },
  };
  const control = createJobControl();
  const file = new Uint8Array(image);
  return { file, format, size, limits, options: {}, outputFormat: 'json', control };
}

function resultOf(result: TraceResult | TraceFailure, timeoutMs: number): TraceResult {
  if ('svg' in result) return result;
  const { code, message, file } = result;
  if (code === 'memory_exceeded') throw new LimitExceeded('memory', file);
  if (code === 'cpu_exceeded') throw new LimitExceeded('cpu', file);
  if (code === 'out_of_memory') throw overloaded(MEMORY_RETRY_MS, message);
  if (code === 'processing_timeout') throw processingTimeout(timeoutMs, message);
  if (code === 'image_too_complex') throw tooManyScans(MAX_SCANS);
  if (code === 'invalid_image') throw problem('corrupt_image', { cause: message });
  throw problem('engine_failure', { cause: `${code}: ${message}` });
}

function toProblem(error: unknown): Error {
  const isKnown = error instanceof Problem || error instanceof LimitExceeded;
  return isKnown ? error : problem('engine_failure', { cause: error });
}
