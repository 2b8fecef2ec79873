import { Piscina } from 'piscina';
import { tookTooLong } from './decode.ts';
import { CallerGone } from './exchange.ts';
import type { Job, Refused, Traced } from './job.ts';
import { describe, log } from './log.ts';
import { Problem } from './problem.ts';

/** How long a job goes on without its caller: most end sooner, and a new thread costs more than they do. */
const ABANDONED_MS = 300;

/** Ready to stand in for a thread that is ended: on a busy machine, a new one can take a second to start. */
const SPARE_THREADS = 1;

/** One job's bounds in time. */
export interface Bounds {
  timeoutMs: number;
  /** Aborted when the caller goes away. */
  gone: AbortSignal;
}

/** The threads that trace. Whoever gives them work keeps to `size` jobs at once. */
export class Pool {
  readonly #piscina: Piscina<Job, Traced | Refused>;
  readonly #size: number;

  /** `onEnd` is told of each thread that ended and was replaced. */
  constructor(size: number, onEnd: () => void) {
    this.#size = size;
    this.#piscina = new Piscina({
      filename: new URL('./worker.mjs', import.meta.url).href,
      minThreads: size + SPARE_THREADS,
      maxThreads: size + SPARE_THREADS,
    });
    this.#piscina.on('workerDestroy', onEnd);
    // A thread that fails while idle has no job to tell; without a listener the process would end.
    this.#piscina.on('error', (error) => log('error', 'idle worker failed', { error: describe(error) }));
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
  if (error instanceof Problem || error instanceof CallerGone) return error;
  return new Problem('engine_failure', 'The image could not be traced.', { cause: error });
}
