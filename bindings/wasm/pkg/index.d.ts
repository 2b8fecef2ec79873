import { type ImageLike } from './shared/image.ts';
import type { Options } from './shared/options.ts';
import { type Watch } from './shared/progress.ts';
import { type WasmSource } from './compile-module.ts';
export type { OptionProblem, TracesmithErrorCode } from './shared/errors.ts';
export { TracesmithError } from './shared/errors.ts';
export type { ImageLike } from './shared/image.ts';
export type { OptionSpec, Options } from './shared/options.ts';
export { optionTable } from './shared/options.ts';
export type { Progress, Watch } from './shared/progress.ts';
export { validateOptions } from './shared/validate-options.ts';
export type { WasmSource } from './compile-module.ts';
export { type BmpLimits, decodeBmp } from './decode-bmp.ts';
export interface InitOptions {
    /** Default: `engine_bg.wasm` beside this module, or `engine_gradients_bg.wasm` with `gradients`. */
    source?: WasmSource | undefined;
    /**
     * Whether the engine must know the option `gradients`. The file that does is nearly a fifth larger, and gives the same SVGs without the option.
     * It replaces an engine without gradients; if that came from a source, only with a source. Default: false.
     */
    gradients?: boolean;
    /**
     * Whether to trace a built-in image for 400 ms as well, after which most of the module is optimized: for programs that have no image
     * yet and want the first one to be fast. Default: false.
     */
    warm?: boolean;
}
/**
 * Loads the engine: from a source, or from a file beside this module. Warms it up if asked to. Idempotent. Rejects with
 * `engine_unavailable` if the engine cannot be loaded; the next call then tries again.
 */
export declare function init(from?: WasmSource | InitOptions): Promise<void>;
/** Synchronous `init` from bytes or a compiled module: for workers that receive the module. */
export declare function initSync(source: BufferSource | WebAssembly.Module, { gradients }?: Pick<InitOptions, 'gradients'>): void;
/**
 * Traces `image` to SVG on the calling thread. If the engine that `options` need is not loaded, loads it first. `Tracer`, in
 * `tracesmith-wasm/tracer`, traces in a worker.
 */
export declare function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string>;
/**
 * Traces `image` to SVG. `init` must have finished, for the option `gradients` with `gradients`. During the trace, only
 * `watch.onProgress` can stop it.
 */
export declare function traceSync(image: ImageLike, options?: Options, watch?: Watch): string;
/** The engine's version. */
export declare function version(): string;
/** The option table of the loaded engine. `optionTable` is the same table as a typed constant. */
export declare function engineOptionTable(): unknown;
/** The current size of the engine's memory. It never shrinks; `recycle` frees it. */
export declare function memoryBytes(): number;
/** Replaces the engine's instance by a new one, which takes about a millisecond, so that its memory can be freed. */
export declare function recycle(): void;
