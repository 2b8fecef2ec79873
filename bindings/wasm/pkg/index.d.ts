import { type ImageLike } from './image.ts';
import type { Options } from './options.ts';
import { type Watch } from './watch.ts';
export type { OptionProblem, TracesmithErrorCode } from './errors.ts';
export { TracesmithError } from './errors.ts';
export type { ImageLike } from './image.ts';
export type { OptionSpec, Options } from './options.ts';
export { optionTable } from './options.ts';
export { validateOptions } from './validate.ts';
export type { Progress, Watch } from './watch.ts';
/** Where the module comes from: its address, an answer that carries it, its bytes, or the compiled module itself. */
export type WasmSource = string | URL | Response | PromiseLike<Response> | BufferSource | WebAssembly.Module;
/** What a BMP may measure. */
export interface BmpLimits {
    maxPixels: number;
    /** Longest side, in pixels. */
    maxSide: number;
}
/** How `init` has the engine compiled. */
export interface InitOptions {
    /** It traces a picture of its own for so long, not at all for 0. Default: 400, which has most of the engine compiled well. */
    warmMs?: number;
}
/**
 * Loads the engine and has it compiled, by pictures of its own; without `source` from the file beside this one. Further calls do
 * nothing.
 */
export declare function init(source?: WasmSource, { warmMs }?: InitOptions): Promise<void>;
/** Like `init`, from bytes or a compiled module, at once, and without tracing anything: for workers that are handed the module. */
export declare function initSync(source: BufferSource | WebAssembly.Module): void;
/**
 * Traces `image` to SVG text; where `init` was not called, loads the engine first, without warming it: `image` waits. Runs on the
 * calling thread: `Tracer`, in `tracesmith-wasm/tracer`, keeps that free.
 */
export declare function trace(image: ImageLike, options?: Options, watch?: Watch): Promise<string>;
/** Traces `image` to SVG text. `init` must have finished. While it works, only `watch.onProgress` can stop it. */
export declare function traceSync(image: ImageLike, options?: Options, watch?: Watch): string;
/** Decodes a BMP to a picture. The limits are checked before its pixels are allocated. */
export declare function decodeBmp(bytes: Uint8Array, limits: BmpLimits): ImageLike & {
    data: Uint8Array;
};
/** The engine's version. */
export declare function version(): string;
/** The option table that this very engine was compiled with; `optionTable` is the same, as a typed constant. */
export declare function engineOptionTable(): unknown;
/** The engine's memory at this moment. It never shrinks; `recycle` gives it back. */
export declare function memoryBytes(): number;
/** Drops the engine's instance, and with it its memory; the next call makes a new one in about a millisecond. */
export declare function recycle(): void;
