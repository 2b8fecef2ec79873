import type { OptionProblem, TracesmithErrorCode } from './shared/errors.ts';
import type { Options } from './shared/options.ts';
import type { Progress } from './shared/progress.ts';
/** The engine's URL, its bytes, or the compiled module. */
export type EngineSource = string | URL | BufferSource | WebAssembly.Module;
/** Where a worker finds its engines; by default, in files beside it. */
export interface EngineSources {
    engine: EngineSource | undefined;
    gradientsEngine: EngineSource | undefined;
}
/** Sent to the worker. */
export interface Job {
    /** Sent with the first job of a worker only. */
    sources: EngineSources | undefined;
    image: {
        width: number;
        height: number;
        data: Uint8Array;
    };
    options: Options | undefined;
    wantsProgress: boolean;
    /** Set to 1 to stop the trace; undefined if threads cannot share memory. */
    stopFlag: Int32Array | undefined;
}
/** Sent by the worker: progress, or the result. */
export type Reply = {
    progress: Progress;
} | {
    svg: string;
} | {
    failure: Failure;
};
/** The fields of a `TracesmithError`: structured cloning drops an error's class and its own fields. */
export interface Failure {
    code: TracesmithErrorCode;
    message: string;
    errors: readonly OptionProblem[];
}
