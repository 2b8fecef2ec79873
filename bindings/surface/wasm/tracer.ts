/** Traces in a worker, so that the calling thread stays free and can stop it. */
import { type OptionProblem, TracesmithError, type TracesmithErrorCode } from './errors.ts';
import { checkImage, type ImageLike } from './image.ts';
import type { Options } from './options.ts';
import { fromWorker, sharedFlag, startThread, type Thread, type WorkerLike } from './thread.ts';
import { settingsOf } from './validate.ts';
import { type Progress, type Reached, type Watch, watchElsewhere } from './watch.ts';

export type { Progress, Watch } from './watch.ts';

/** To the worker. */
export interface Job {
  engine: EngineSource | undefined;
  image: { width: number; height: number; data: Uint8Array };
  options: Options | undefined;
  wantsProgress: boolean;
  /** Not 0 once the trace is to stop; absent where memory cannot be shared between threads. */
  stop: Int32Array | undefined;
}

/** From the worker: how far it has come, or the end. */
export type Answer = { progress: Progress } | { svg: string } | { refused: Refusal };

/** A `TracesmithError`: errors lose their class and their own fields on the way between threads. */
interface Refusal {
  code: TracesmithErrorCode;
  message: string;
  errors: readonly OptionProblem[];
}

/** The engine's address, its bytes, or the compiled module. */
export type EngineSource = string | URL | BufferSource | WebAssembly.Module;

/** Where a tracer finds what it needs, if not beside itself. */
export interface TracerSources {
  engine?: EngineSource | undefined;
  /** Starts `tracesmith-wasm/tracer-worker.js` as a module, for bundlers that do not find it by themselves. */
  worker?: (() => WorkerLike) | undefined;
}

/**
 * A worker with an engine of its own; it starts with the first picture. Pictures are traced one after the other. A tracer with
 * nothing to do keeps no process alive.
 */
export class Tracer {
  readonly #engine: EngineSource | undefined;
  readonly #start: () => Thread;
  #thread: Thread | undefined;
  /** Settled when the thread is free for the next picture. */
  #free: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor({ engine, worker }: TracerSources = {}) {
    this.#engine = engine instanceof URL ? engine.href : engine;
    this.#start = worker === undefined ? startThread : () => fromWorker(worker());
  }

  /**
   * Traces `image` to SVG text; the pixels are copied first, so they may change meanwhile.
   *
   * When `watch.signal` is aborted, or `watch.onProgress` stops the trace, rejects at once. A picture that waits is never begun;
   * one that is being traced ends within some ten milliseconds where threads can share memory (in Node.js and Deno, and in pages
   * that are cross-origin isolated), and with its worker elsewhere.
   */
  async trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string> {
    settingsOf(options);
    const { width, height, rgba } = checkImage(image);
    watch?.signal?.throwIfAborted();
    const stop = sharedFlag();
    const wantsProgress = watch?.onProgress !== undefined;
    const job = { image: { width, height, data: rgba.slice() }, options, wantsProgress, stop };
    let state: 'waits' | 'runs' | 'unwanted' = 'waits';
    const run = (reached: Reached) => {
      const turn = this.#free.then(() => {
        if (state === 'unwanted') return '';
        state = 'runs';
        return this.#ask(job, reached);
      });
      this.#free = turn.catch(() => {});
      return turn;
    };
    const end = () => {
      if (stop !== undefined) Atomics.store(stop, 0, 1);
      else if (state === 'runs') this.#thread?.end();
      state = 'unwanted';
    };
    return watchElsewhere(watch, run, end);
  }

  /** Ends the worker; what it has not finished is rejected as `closed`. */
  close(): void {
    this.#isClosed = true;
    this.#thread?.end();
  }

  #ask(job: Omit<Job, 'engine'>, reached: Reached): Promise<string> {
    if (this.#isClosed) throw new TracesmithError('closed', 'the tracer was closed');
    const isFresh = this.#thread === undefined || this.#thread.isOver;
    if (isFresh) this.#thread = this.#start();
    const thread = this.#thread as Thread;
    return new Promise((resolve, reject) => {
      const answer = (answer: Answer) => {
        if ('progress' in answer) {
          reached(answer.progress.stage, answer.progress.fraction);
          return;
        }
        thread.rest();
        if ('svg' in answer) resolve(answer.svg);
        else reject(this.#refusal(answer.refused));
      };
      const ended = (cause: unknown) => {
        const code = this.#isClosed ? 'closed' : 'engine_failure';
        reject(new TracesmithError(code, `the worker ended: ${cause}`, { cause }));
      };
      thread.send({ engine: isFresh ? this.#engine : undefined, ...job }, { answer, ended });
    });
  }

  #refusal({ code, message, errors }: Refusal): TracesmithError {
    // The next picture may find what this one did not.
    if (code === 'engine_unavailable') this.#thread?.end();
    return new TracesmithError(code, message, { errors });
  }
}
