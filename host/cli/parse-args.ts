import { parseArgs } from 'node:util';
import { nearestName } from './nearest-name.ts';

/** The command line is invalid. */
export class UsageError extends Error {}

export type FlagValues = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** What the parser knows of a flag. */
export interface FlagKind {
  type: 'string' | 'boolean';
  short?: string;
  /** A number may follow as an argument of its own even if it is negative: the check of its range then reports it. */
  isNumber?: boolean;
}
type FlagKinds = Readonly<Record<string, FlagKind>>;

/** A flag as it was typed. */
interface GivenFlag {
  name: string;
  /** With dashes: `--jobs`, or `-j`. */
  rawName: string;
  value?: string | undefined;
  inlineValue?: boolean | undefined;
  index: number;
}

/** The longest name that is compared with those of the flags. */
const MAX_TYPED_LENGTH = 40;

/** Parses arguments with node:util's `parseArgs`. Throws `UsageError`, as the messages of its strict mode are about its own rules. */
export function parse(args: string[], options: FlagKinds): { values: FlagValues; positionals: string[] } {
  const { values, positionals, tokens } = parseArgs({ args, options, strict: false, tokens: true });
  for (const token of tokens) if (token.kind === 'option') check(token, options, args[token.index] ?? '');
  return { values, positionals };
}

function check(flag: GivenFlag, options: FlagKinds, argument: string): void {
  const { name, rawName, value, inlineValue = false } = flag;
  const kind = Object.hasOwn(options, name) ? options[name] : undefined;
  if (kind === undefined) throw unknownFlag(rawName, argument, Object.keys(options));
  if (kind.type === 'boolean') {
    if (value === undefined) return;
    const off = Object.hasOwn(options, `no-${name}`) ? ` --no-${name} switches it off.` : '';
    throw new UsageError(`${rawName} takes no value.${off}`);
  }
  if (value === undefined) throw new UsageError(`${rawName} needs a value.`);
  const isMissing = /^-./s.test(value) && !(kind.isNumber === true && /^-[\d.]/.test(value));
  // The value may be a secret that was passed to the wrong flag, so it is not shown.
  if (isMissing && !inlineValue)
    throw new UsageError(
      `${rawName} needs a value. If the value itself starts with a dash, write --${name}=-….`,
    );
}

function unknownFlag(rawName: string, argument: string, names: readonly string[]): UsageError {
  // Of a long name after a single dash, each letter is a flag to the parser.
  const [typed = ''] = argument.replace(/^-+/, '').split('=');
  const near = typed.length > MAX_TYPED_LENGTH ? undefined : nearestName(typed, names);
  const advice = near === undefined ? '' : ` Did you mean --${near}?`;
  const isShort = !rawName.startsWith('--');
  const dash = isShort ? ' Put a file name that starts with a dash after --.' : '';
  const where = isShort && argument !== rawName ? ` in ${argument}` : '';
  return new UsageError(`Unknown option ${rawName}${where}.${advice || dash}`);
}

/** The value of a flag that takes one. */
export function textOf(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
