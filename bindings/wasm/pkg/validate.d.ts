import { type OptionProblem } from './errors.ts';
/** Everything wrong with `options`; empty when they may be passed to `trace`. */
export declare function validateOptions(options: unknown): OptionProblem[];
/** The options as the engine takes them, one `name=value` a line, numbers by their bits; throws `invalid_option` with every problem. */
export declare function settingsOf(options: unknown): string;
