import { type ImageLike } from './shared/image.ts';
import type { Options } from './shared/options.ts';
import { type Watch } from './shared/progress.ts';
import type { EngineSource } from './tracer-protocol.ts';
import { type WorkerLike } from './worker-thread.ts';
export type { Progress, Watch } from './shared/progress.ts';
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
export declare class Tracer {
    #private;
    constructor({ engine, gradientsEngine, worker }?: TracerSources);
    /**
     * Traces `image` to SVG. The pixels are copied first, so the caller may change them afterwards.
     *
     * When `watch.signal` is aborted or `watch.onProgress` stops the trace, the promise rejects immediately. An image that waits for
     * its turn is then never traced. A running trace stops within about ten milliseconds if threads can share memory (Node.js, Deno
     * and cross-origin isolated pages); elsewhere, the worker is terminated.
     */
    trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string>;
    /** Terminates the worker. Unfinished traces reject with `closed`. */
    close(): void;
}
