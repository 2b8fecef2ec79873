import { Piscina } from 'piscina';
import { processingTimeout } from '../errors/details.ts';
import { Problem, problem } from '../errors/problem.ts';
import type { WorkerExitReason } from '../observability/metrics.ts';
import type { EngineName, Job, TraceFailure, TraceResult } from './job.ts';

/** How long a job continues after its client has left. Most end sooner, and replacing a thread costs more than that. */
const ABANDONED_MS = 300;

/** Measured: after about six calls, on any threads, V8 has compiled the module with its optimizing compiler for all. */
const WARM_UP_ROUNDS = 4;

/** When a job is canceled. */
export interface RunOptions {
  timeoutMs: number;
  /** Aborted when the result is no longer wanted. */
  signal: AbortSignal;
}

export interface WorkerPoolOptions {
  /** Jobs that run at the same time. */
  size: number;
  /** Additional idle threads, each ready to replace one that is ended. */
  spare: number;
  engine: EngineName;
  /** Called for each thread that ended and was replaced. */
  onWorkerExit(reason: WorkerExitReason): void;
  /** Called with the error of a thread that failed without a job. */
  onIdleError(error: unknown): void;
}

/** The worker threads. The caller runs at most `size` jobs at the same time. */
export class WorkerPool {
  readonly #piscina: Piscina<Job, TraceResult | TraceFailure>;
  readonly #threads: number;
  /** Why threads end now; undefined while all end, as the pool is closed. */
  #exitReason: WorkerExitReason | undefined = 'failure';

  constructor({ size, spare, engine, onWorkerExit, onIdleError }: WorkerPoolOptions) {
    this.#threads = size + spare;
    this.#piscina = new Piscina({
      filename: new URL('./worker.mjs', import.meta.url).href,
      minThreads: this.#threads,
      maxThreads: this.#threads,
      workerData: engine,
    });
    this.#piscina.on('workerDestroy', () => {
      if (this.#exitReason !== undefined) onWorkerExit(this.#exitReason);
    });
    // An 'error' event without a listener would end the process.
    this.#piscina.on('error', onIdleError);
  }

  /** Traces `image`, a PNG, on every thread until the engine's code is fully optimized. */
  async warmUp(image: Uint8Array): Promise<void> {
    for (let round = 0; round < WARM_UP_ROUNDS; round++) {
      const jobs = Array.from({ length: this.#threads }, () => this.#piscina.run(warmUpJob(image)));
      await Promise.all(jobs);
    }
  }

  /** Runs one job. Its buffer is transferred to the thread. If the job is canceled, its thread is ended and replaced. */
  async run(job: Job, { timeoutMs, signal }: RunOptions): Promise<TraceResult> {
    const cancel = new AbortController();
    // Aborting ends the thread at once, if the job has not ended yet.
    const end = (exitReason: WorkerExitReason, error: unknown) => {
      this.#exitReason = exitReason;
      cancel.abort(error);
      this.#exitReason = 'failure';
    };
    const timer = setTimeout(() => end('timeout', processingTimeout(timeoutMs)), timeoutMs);
    const onAbort = () => setTimeout(() => end('client_disconnected', signal.reason), ABANDONED_MS).unref();
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      const transferList = [job.file.buffer];
      const result = await this.#piscina.run(job, { transferList, signal: cancel.signal });
      return resultOf(result, timeoutMs);
    } catch (error) {
      throw cancel.signal.aborted ? cancel.signal.reason : toProblem(error);
    } finally {
      clearTimeout(timer);
      signal.removeEventListener('abort', onAbort);
    }
  }

  async close(): Promise<void> {
    this.#exitReason = undefined;
    await this.#piscina.destroy();
  }
}

function warmUpJob(image: Uint8Array): Job {
  const limits = { maxPixels: 1e6, maxSidePx: 1e4, processingTimeoutMs: 60_000 };
  return { file: new Uint8Array(image), format: 'png', limits, options: {}, outputFormat: 'json' };
}

function resultOf(result: TraceResult | TraceFailure, timeoutMs: number): TraceResult {
  if ('svg' in result) return result;
  const { code, message } = result;
  if (code === 'processing_timeout') throw processingTimeout(timeoutMs, message);
  if (code === 'invalid_image') throw problem('corrupt_image', { cause: message });
  throw problem('engine_failure', { cause: `${code}: ${message}` });
}

function toProblem(error: unknown): Problem {
  return error instanceof Problem ? error : problem('engine_failure', { cause: error });
}
