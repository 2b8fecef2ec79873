import { Piscina } from 'piscina';
import { tookTooLong } from './decode.ts';
import type { EngineName, Job, Refused, Traced } from './job.ts';
import { Problem } from './problem.ts';

/** How long a job goes on without its caller: most end sooner, and a new thread costs more than they do. */
const ABANDONED_MS = 300;

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
  readonly #size: number;

  constructor({ size, spare, engine, onEnd, onIdleError }: Threads) {
    this.#size = size;
    this.#piscina = new Piscina({
      filename: new URL('./worker.mjs', import.meta.url).href,
      minThreads: size + spare,
      maxThreads: size + spare,
      workerData: engine,
    });
    this.#piscina.on('workerDestroy', onEnd);
    // Without a listener the process would end.
    this.#piscina.on('error', onIdleError);
  }

  /** Resolves when as many threads as may work at once have traced something. */
  async warm(): Promise<void> {
    const pixels = () => ({ width: 1, height: 1, data: new Uint8Array(4) });
    const jobs = Array.from({ length: this.#size }, () =>
      this.#piscina.run({ pixels: pixels(), options: {}, form: 'svg' }),
    );
    await Promise.all(jobs);
  }

  /** Runs one job on a thread; its buffer is transferred, not copied. Past its bounds, the thread is ended. */
  async trace(job: Job, { timeoutMs, gone }: Bounds): Promise<Traced> {
    const end = new AbortController();
    const timer = setTimeout(() => end.abort(tookTooLong()), timeoutMs);
    const abandon = () => setTimeout(() => end.abort(gone.reason), ABANDONED_MS).unref();
    gone.addEventListener('abort', abandon, { once: true });
    try {
      const buffer = 'pixels' in job ? job.pixels.data.buffer : job.bmp.buffer;
      return accept(await this.#piscina.run(job, { transferList: [buffer], signal: end.signal }));
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

function accept(result: Traced | Refused): Traced {
  if ('drawing' in result) return result;
  if (result.code === 'invalid_image') {
    throw new Problem('invalid_image', 'The image is corrupt or truncated.', { cause: result.message });
  }
  throw new Problem('engine_failure', 'The image could not be traced.', {
    cause: `${result.code}: ${result.message}`,
  });
}

function asFailure(error: unknown): unknown {
  if (error instanceof Problem) return error;
  return new Problem('engine_failure', 'The image could not be traced.', { cause: error });
}
