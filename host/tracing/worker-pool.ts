import { Piscina } from 'piscina';
import { Problem } from '../errors/problem.ts';
import { invalid, tookTooLong } from '../image/inspect.ts';
import type { EngineName, Job, Refused, Traced } from './job.ts';

/** How long a job goes on without its caller: most end sooner, and a new thread costs more than they do. */
const ABANDONED_MS = 300;

/** Measured: WebAssembly's second compiler is done after about six calls, of whichever threads; they share its code. */
const WARM_ROUNDS = 4;

/** One job's bounds in time. */
export interface Bounds {
  timeoutMs: number;
  /** Aborted when the caller goes away. */
  gone: AbortSignal;
}

export interface Threads {
  /** How many jobs there are at once. */
  size: number;
  /** Threads more than that, ready to stand in for one that is ended. */
  spare: number;
  engine: EngineName;
  /** Told of each thread that ended and was replaced. */
  onEnd(): void;
  /** Told of a thread that failed while it had no job. */
  onIdleError(error: unknown): void;
}

/** The threads that trace. Whoever gives them work keeps to `size` jobs at once. */
export class Pool {
  readonly #piscina: Piscina<Job, Traced | Refused>;
  readonly #threads: number;

  constructor({ size, spare, engine, onEnd, onIdleError }: Threads) {
    this.#threads = size + spare;
    this.#piscina = new Piscina({
      filename: new URL('./worker.mjs', import.meta.url).href,
      minThreads: this.#threads,
      maxThreads: this.#threads,
      workerData: engine,
    });
    this.#piscina.on('workerDestroy', onEnd);
    // Without a listener the process would end.
    this.#piscina.on('error', onIdleError);
  }

  /** Resolves when every thread has traced a picture, a PNG, so often that its code is compiled for good. */
  async warm(picture: Uint8Array): Promise<void> {
    for (let round = 0; round < WARM_ROUNDS; round++) {
      const jobs = Array.from({ length: this.#threads }, () => this.#piscina.run(warmingJob(picture)));
      await Promise.all(jobs);
    }
  }

  /** Runs one job on a thread; its buffer is transferred, not copied. Past its bounds, the thread is ended. */
  async trace(job: Job, { timeoutMs, gone }: Bounds): Promise<Traced> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(tookTooLong()), timeoutMs);
    const abandon = () => setTimeout(() => end.abort(gone.reason), ABANDONED_MS).unref();
    gone.addEventListener('abort', abandon, { once: true });
    try {
      const transferList = [job.file.buffer];
      return accept(await this.#piscina.run(job, { transferList, signal: end.signal }));
    } catch (error) {
      throw end.signal.aborted ? end.signal.reason : asFailure(error);
    } finally {
      clearTimeout(timer);
      gone.removeEventListener('abort', abandon);
    }
  }

  async close(): Promise<void> {
    await this.#piscina.destroy();
  }
}

function warmingJob(picture: Uint8Array): Job {
  const limits = { maxPixels: 1e6, maxSidePx: 1e4, processingTimeoutMs: 60_000 };
  return { file: new Uint8Array(picture), format: 'png', limits, options: {}, form: 'json' };
}

function accept(result: Traced | Refused): Traced {
  if ('drawing' in result) return result;
  if (result.code === 'processing_timeout') throw tookTooLong(result.message);
  if (result.code === 'invalid_image') throw invalid('The image is corrupt or truncated.', result.message);
  throw new Problem('engine_failure', 'The image could not be traced.', {
    cause: `${result.code}: ${result.message}`,
  });
}

function asFailure(error: unknown): unknown {
  if (error instanceof Problem) return error;
  return new Problem('engine_failure', 'The image could not be traced.', { cause: error });
}
