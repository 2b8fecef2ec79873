/** Traces in a worker, so that the calling thread stays free and can stop the trace. */
import { TracesmithError } from '../shared/errors.ts';
import { checkImage, type ImageLike } from '../shared/image.ts';
import type { Options } from '../shared/options.ts';
import { checkWatch, type EngineObserver, type Watch, watchAsync } from '../shared/progress.ts';
import { serializeOptions } from '../shared/validate-options.ts';
import type { EngineSource, EngineSources, Failure, Job, Reply } from './tracer-protocol.ts';
import {
  createStopFlag,
  fromWebWorker,
  startWorker,
  type WorkerLike,
  type WorkerThread,
} from './worker-thread.ts';

export type { Progress, Watch } from '../shared/progress.ts';
export type { EngineSource } from './tracer-protocol.ts';

/** Where a tracer finds its files, if they are not beside this module. */
export interface TracerSources {
  engine?: EngineSource | undefined;
  /**
   * The engine for images with the option `gradients`, which replaces `engine` with the first of them. Not needed if `engine` is
   * `engine_gradients_bg.wasm`.
   */
  gradientsEngine?: EngineSource | undefined;
  /** Starts `tracesmith-wasm/tracer-worker.js` as a module worker, for bundlers that do not find it themselves. */
  worker?: (() => WorkerLike) | undefined;
}

/**
 * A worker with its own engine. The worker starts with the first image and traces one image after the other. An idle tracer does
 * not keep the process alive.
 */
export class Tracer {
  readonly #sources: EngineSources;
  readonly #start: () => WorkerThread;
  #worker: WorkerThread | undefined;
  /** Settles when the worker is ready for the next image. */
  #ready: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ engine, gradientsEngine, worker }: TracerSources = {}) {
    this.#sources = { engine: cloneable(engine), gradientsEngine: cloneable(gradientsEngine) };
    this.#start = worker === undefined ? startWorker : () => fromWebWorker(worker());
  }

  /**
   * Traces `image` to SVG. The pixels are copied first, so the caller may change them afterwards.
   *
   * When `watch.signal` is aborted or `watch.onProgress` stops the trace, the promise rejects immediately. An image that waits for
   * its turn is then never traced. A running trace stops within about ten milliseconds if threads can share memory (Node.js, Deno
   * and cross-origin isolated pages); elsewhere, the worker is terminated.
   */
  async trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
    serializeOptions(options); // throws if an option is invalid
    const { width, height, rgba } = checkImage(image);
    const checkedWatch = checkWatch(watch);
    checkedWatch.signal?.throwIfAborted();
    const stopFlag = createStopFlag();
    const wantsProgress = checkedWatch.onProgress !== undefined;
    const job = { image: { width, height, data: rgba.slice() }, options, wantsProgress, stopFlag };
    let state: 'queued' | 'running' | 'stopped' = 'queued';
    const run = (observer: EngineObserver) => {
      const turn = this.#ready.then(() => {
        if (state === 'stopped') return '';
        state = 'running';
        return this.#send(job, observer);
      });
      this.#ready = turn.catch(() => {});
      return turn;
    };
    const stop = () => {
      if (stopFlag !== undefined) Atomics.store(stopFlag, 0, 1);
      else if (state === 'running') this.#worker?.terminate();
      state = 'stopped';
    };
    return watchAsync(checkedWatch, run, stop);
  }

  /** Terminates the worker. Unfinished traces reject with `closed`. */
  close(): void {
    this.#isClosed = true;
    this.#worker?.terminate();
  }

  #send(job: Omit<Job, 'sources'>, observer: EngineObserver): Promise<string> {
    if (this.#isClosed) throw new TracesmithError('closed', 'the tracer was closed');
    const isNew = this.#worker === undefined || this.#worker.hasEnded;
    if (isNew) this.#worker = this.#start();
    const worker = this.#worker as WorkerThread;
    return new Promise((resolve, reject) => {
      const onReply = (reply: Reply) => {
        if ('progress' in reply) {
          observer(reply.progress.stage, reply.progress.fraction);
          return;
        }
        worker.release();
        if ('svg' in reply) resolve(reply.svg);
        else reject(this.#errorOf(reply.failure));
      };
      const onEnd = (cause: unknown) => {
        const code = this.#isClosed ? 'closed' : 'engine_failure';
        reject(new TracesmithError(code, `the worker ended: ${cause}`, { cause }));
      };
      worker.send({ sources: isNew ? this.#sources : undefined, ...job }, { onReply, onEnd });
    });
  }

  #errorOf({ code, message, errors }: Failure): TracesmithError {
    // A new worker tries to load the engine again.
    if (code === 'engine_unavailable') this.#worker?.terminate();
    return new TracesmithError(code, message, { errors });
  }
}

/** Messages between threads cannot hold a `URL`. */
function cloneable(source: EngineSource | undefined): EngineSource | undefined {
  return source instanceof URL ? source.href : source;
}
