// Workers of browsers and of Node.js, as a tracer sees them.
import { TracesmithError } from './errors.ts';
import type { Answer, Job } from './tracer.ts';

/** Whoever waits for a thread. */
export interface Listener {
  answer(answer: Answer): void;
  /** It does not answer any more, and why. */
  ended(cause: unknown): void;
}

/** One worker. */
export interface Thread {
  /** It has ended. */
  readonly isOver: boolean;
  /** Gives it work; only one listener at a time. */
  send(job: Job, listener: Listener): void;
  /** Its work is done: it keeps no process alive until the next. */
  rest(): void;
  /** Ends it at once; whoever waits is told. */
  end(): void;
}

/** A browser's `Worker`, as far as it is needed; Node's types have none. */
export interface WorkerLike {
  addEventListener(event: string, listener: (event: object) => void): void;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/** Node's worker, as far as it is needed. */
interface NodeWorker {
  on(event: 'message' | 'error' | 'exit', listener: (value: never) => void): void;
  postMessage(job: Job, transfer: ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

interface Built {
  process?: {
    getBuiltinModule?(name: string): {
      Worker: new (file: URL, options: { execArgv: string[] }) => NodeWorker;
    };
  };
}

/** The package's own worker. */
export function startThread(): Thread {
  if (typeof Worker === 'function') {
    // Bundlers look for these very words.
    return fromWorker(new Worker(new URL('./tracer-worker.js', import.meta.url), { type: 'module' }));
  }
  const threads = (globalThis as Built).process?.getBuiltinModule?.('node:worker_threads');
  if (threads === undefined)
    throw new TracesmithError('engine_unavailable', 'there are no workers in this run time');
  // What the program was started with, a loader of other languages for one, is nothing that this worker needs.
  return fromNode(new threads.Worker(new URL('./tracer-worker.js', import.meta.url), { execArgv: [] }));
}

export function fromWorker(worker: WorkerLike): Thread {
  let listener: Listener | undefined;
  let isOver = false;
  const end = (cause: unknown) => {
    isOver = true;
    worker.terminate();
    listener?.ended(cause);
  };
  worker.addEventListener('message', (event) => listener?.answer((event as { data: Answer }).data));
  worker.addEventListener('error', (event) =>
    end((event as { message?: string }).message ?? 'it could not be loaded'),
  );
  worker.addEventListener('messageerror', () => end('its answer could not be read'));
  return {
    get isOver() {
      return isOver;
    },
    send: (job, next) => {
      listener = next;
      worker.postMessage(job, [job.image.data.buffer as ArrayBuffer]);
    },
    rest: () => {
      listener = undefined;
    },
    end: () => end('it was stopped'),
  };
}

function fromNode(worker: NodeWorker): Thread {
  let listener: Listener | undefined;
  let isOver = false;
  let cause: unknown = 'it was stopped';
  const ended = () => {
    isOver = true;
    listener?.ended(cause);
    listener = undefined;
  };
  worker.on('message', (answer: Answer) => listener?.answer(answer));
  worker.on('error', (error: unknown) => {
    cause = error;
  });
  worker.on('exit', ended);
  worker.unref();
  return {
    get isOver() {
      return isOver;
    },
    send: (job, next) => {
      listener = next;
      worker.ref();
      worker.postMessage(job, [job.image.data.buffer as ArrayBuffer]);
    },
    rest: () => {
      listener = undefined;
      worker.unref();
    },
    end: () => {
      void worker.terminate();
      ended();
    },
  };
}

/** A flag that another thread sees; undefined where threads cannot share memory. */
export function sharedFlag(): Int32Array | undefined {
  if (typeof SharedArrayBuffer !== 'function' || globalThis.crossOriginIsolated === false) return undefined;
  return new Int32Array(new SharedArrayBuffer(4));
}
