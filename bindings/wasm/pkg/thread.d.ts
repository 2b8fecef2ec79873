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
/** The package's own worker. */
export declare function startThread(): Thread;
export declare function fromWorker(worker: WorkerLike): Thread;
/** A flag that another thread sees; undefined where threads cannot share memory. */
export declare function sharedFlag(): Int32Array | undefined;
