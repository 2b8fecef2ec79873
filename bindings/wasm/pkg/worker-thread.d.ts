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
/** Starts the package's own worker. */
export declare function startWorker(): WorkerThread;
export declare function fromWebWorker(worker: WorkerLike): WorkerThread;
/** A flag that the worker sees when it is set; undefined if threads cannot share memory. */
export declare function createStopFlag(): Int32Array | undefined;
