/** Traces in a worker, so that the calling thread stays free and can stop it. */
import { type OptionProblem, type TracesmithErrorCode } from './errors.ts';
import { type ImageLike } from './image.ts';
import type { Options } from './options.ts';
import { type WorkerLike } from './thread.ts';
import { type Progress, type Watch } from './watch.ts';
export type { Progress, Watch } from './watch.ts';
/** To the worker. */
export interface Job {
    engine: EngineSource | undefined;
    image: {
        width: number;
        height: number;
        data: Uint8Array;
    };
    options: Options | undefined;
    wantsProgress: boolean;
    /** Not 0 once the trace is to stop; absent where memory cannot be shared between threads. */
    stop: Int32Array | undefined;
}
/** From the worker: how far it has come, or the end. */
export type Answer = {
    progress: Progress;
} | {
    svg: string;
} | {
    refused: Refusal;
};
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
export declare class Tracer {
    #private;
    constructor({ engine, worker }?: TracerSources);
    /**
     * Traces `image` to SVG text; the pixels are copied first, so they may change meanwhile.
     *
     * When `watch.signal` is aborted, or `watch.onProgress` stops the trace, rejects at once. A picture that waits is never begun;
     * one that is being traced ends within some ten milliseconds where threads can share memory (in Node.js and Deno, and in pages
     * that are cross-origin isolated), and with its worker elsewhere.
     */
    trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string>;
    /** Ends the worker; what it has not finished is rejected as `closed`. */
    close(): void;
}
