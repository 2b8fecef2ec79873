// One interface for browser workers and Node.js worker threads.
import { TracesmithError } from '../shared/errors.ts';
import type { Job, Reply } from './tracer-protocol.ts';

export interface WorkerListener {
  onReply(reply: Reply): void;
  /** The worker ended before it sent a result. */
  onEnd(cause: unknown): void;
}

export interface WorkerThread {
  readonly hasEnded: boolean;
  /** Sends a job. The listener replaces the previous one. */
  send(job: Job, listener: WorkerListener): void;
  /** Removes the listener. In Node.js, an idle worker does not keep the process alive. */
  release(): void;
  /** Terminates the worker immediately; the listener's `onEnd` is called. */
  terminate(): void;
}

/** The part of a browser's `Worker` that is used; `@types/node` does not declare it. */
export interface WorkerLike {
  addEventListener(event: string, listener: (event: object) => void): void;
  postMessage(message: unknown, transfer: ArrayBuffer[]): void;
  terminate(): void;
}

/** The part of `node:worker_threads`' `Worker` that is used. */
interface NodeWorker {
  on(event: 'message' | 'error' | 'exit', listener: (value: never) => void): void;
  postMessage(job: Job, transfer: ArrayBuffer[]): void;
  ref(): void;
  unref(): void;
  terminate(): Promise<number>;
}

/** What Node.js and Deno have and browsers lack. */
interface NodeGlobal {
  process?: {
    getBuiltinModule?(name: string): {
      Worker: new (file: URL, options: { execArgv: string[] }) => NodeWorker;
    };
  };
}

/** Starts the package's own worker. */
export function startWorker(): WorkerThread {
  if (typeof Worker === 'function') {
    // Bundlers recognize exactly this expression.
    return fromWebWorker(new Worker(new URL('./tracer-worker.js', import.meta.url), { type: 'module' }));
  }
  const threads = (globalThis as NodeGlobal).process?.getBuiltinModule?.('node:worker_threads');
  if (threads === undefined)
    throw new TracesmithError('engine_unavailable', 'this runtime does not support workers');
  // The worker does not need the process's flags, such as a TypeScript loader.
  return fromNodeWorker(new threads.Worker(new URL('./tracer-worker.js', import.meta.url), { execArgv: [] }));
}

export function fromWebWorker(worker: WorkerLike): WorkerThread {
  let listener: WorkerListener | undefined;
  let hasEnded = false;
  const end = (cause: unknown) => {
    hasEnded = true;
    worker.terminate();
    listener?.onEnd(cause);
  };
  worker.addEventListener('message', (event) => listener?.onReply((event as { data: Reply }).data));
  worker.addEventListener('error', (event) =>
    end((event as { message?: string }).message ?? 'the worker script could not be loaded'),
  );
  worker.addEventListener('messageerror', () => end('the reply could not be deserialized'));
  return {
    get hasEnded() {
      return hasEnded;
    },
    send: (job, next) => {
      listener = next;
      worker.postMessage(job, [job.image.data.buffer as ArrayBuffer]);
    },
    release: () => {
      listener = undefined;
    },
    terminate: () => end('terminated'),
  };
}

function fromNodeWorker(worker: NodeWorker): WorkerThread {
  let listener: WorkerListener | undefined;
  let hasEnded = false;
  let cause: unknown = 'terminated';
  const onEnd = () => {
    hasEnded = true;
    listener?.onEnd(cause);
    listener = undefined;
  };
  worker.on('message', (reply: Reply) => listener?.onReply(reply));
  worker.on('error', (error: unknown) => {
    cause = error;
  });
  worker.on('exit', onEnd);
  worker.unref();
  return {
    get hasEnded() {
      return hasEnded;
    },
    send: (job, next) => {
      listener = next;
      worker.ref();
      worker.postMessage(job, [job.image.data.buffer as ArrayBuffer]);
    },
    release: () => {
      listener = undefined;
      worker.unref();
    },
    terminate: () => {
      void worker.terminate();
      onEnd();
    },
  };
}

/** A flag that the worker sees when it is set; undefined if threads cannot share memory. */
export function createStopFlag(): Int32Array | undefined {
  if (typeof SharedArrayBuffer !== 'function' || globalThis.crossOriginIsolated === false) return undefined;
  return new Int32Array(new SharedArrayBuffer(4));
}
