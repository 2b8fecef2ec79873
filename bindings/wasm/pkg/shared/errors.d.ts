/** One invalid option. */
export interface OptionProblem {
    /** JSON Pointer (RFC 6901) to the option; empty for the whole options object. */
    pointer: string;
    /** What was expected and what was received. */
    detail: string;
}
/**
 * Stable error codes.
 *
 * - Image: `invalid_dimensions`, `invalid_length`, `invalid_image` (wrong type, or a corrupt BMP), `image_too_large`.
 * - Caller: `invalid_option` (see `errors`), `invalid_watch` (`watch`, `onProgress` or `signal` of the wrong type), `not_initialized`
 *   (`traceSync` before `init`, or with `gradients` before an `init` with it), `cancelled` (by `onProgress`), `busy` (called from
 *   `onProgress`: an engine traces one image at a time), `closed` (the `Tracer` was closed).
 * - Engine: `engine_failure`: it trapped or ran out of memory. The next call uses a new instance.
 * - Installation: `engine_unavailable`: the engine could not be loaded.
 */
export type TracesmithErrorCode = 'invalid_dimensions' | 'invalid_length' | 'invalid_image' | 'image_too_large' | 'invalid_option' | 'invalid_watch' | 'not_initialized' | 'cancelled' | 'busy' | 'closed' | 'engine_failure' | 'engine_unavailable';
/** The only error class that this package throws itself. */
export declare class TracesmithError extends Error {
    readonly name = "TracesmithError";
    readonly code: TracesmithErrorCode;
    /** For `invalid_option`: every invalid option, not only the first. Empty for all other codes. */
    readonly errors: readonly OptionProblem[];
    constructor(code: TracesmithErrorCode, message: string, more?: {
        errors?: readonly OptionProblem[];
        cause?: unknown;
    });
}
/** Parses the engine's `code: message`. Text without a code does not come from the engine: `engine_failure`. */
export declare function parseEngineError(text: string, cause?: unknown): TracesmithError;
