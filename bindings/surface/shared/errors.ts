/** One thing wrong with the options: where (a JSON pointer, empty for the whole), what was expected and what came. */
export interface OptionProblem {
  pointer: string;
  detail: string;
}

/**
 * Stable names of what can go wrong.
 *
 * - The image: `invalid_dimensions`, `invalid_length`, `invalid_image` (its type, or a broken BMP), `image_too_large`.
 * - The caller: `invalid_option` (see `errors`), `not_initialized` (`traceSync` before `init`), `cancelled` (by `onProgress`),
 *   `busy` (called from `onProgress`: an engine traces one picture at a time), `closed` (a tracer that was closed).
 * - The engine: `engine_failure`: it trapped or ran out of memory; the next call gets a fresh instance.
 * - The installation: `engine_unavailable`: the engine's file could not be loaded.
 */
export type TracesmithErrorCode =
  | 'invalid_dimensions'
  | 'invalid_length'
  | 'invalid_image'
  | 'image_too_large'
  | 'invalid_option'
  | 'not_initialized'
  | 'cancelled'
  | 'busy'
  | 'closed'
  | 'engine_failure'
  | 'engine_unavailable';

/** Every error this package throws on purpose. */
export class TracesmithError extends Error {
  override readonly name = 'TracesmithError';
  readonly code: TracesmithErrorCode;
  /** For `invalid_option`: every problem, not only the first. Empty otherwise. */
  readonly errors: readonly OptionProblem[];

  constructor(
    code: TracesmithErrorCode,
    message: string,
    more: { errors?: readonly OptionProblem[]; cause?: unknown } = {},
  ) {
    super(message, 'cause' in more ? { cause: more.cause } : undefined);
    this.code = code;
    this.errors = more.errors ?? [];
  }
}

/** Turns the engine's `code: message` into an error; anything else is not the engine's and becomes `engine_failure`. */
export function fromEngine(text: string, cause?: unknown): TracesmithError {
  const match = /^([a-z_]+): (.*)$/s.exec(text);
  if (match === null) return new TracesmithError('engine_failure', text, { cause });
  return new TracesmithError(match[1] as TracesmithErrorCode, match[2] as string);
}
