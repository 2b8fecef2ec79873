import { type OptionProblem } from './errors.ts';
/** Returns one problem for each invalid option; an empty array if `options` can be passed to `trace`. */
export declare function validateOptions(options: unknown): OptionProblem[];
/**
 * Serializes options for the engine: one `name=value` per line, a number as the hexadecimal bits of its double.
 * Throws `invalid_option` with every problem.
 */
export declare function serializeOptions(options: unknown): string;
