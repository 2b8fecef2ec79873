import { type ParseArgsConfig, parseArgs } from 'node:util';

/** The command line is invalid. */
export class UsageError extends Error {}

export type FlagValues = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** node:util's `parseArgs`, but its errors become `UsageError`s. */
export function parse(config: ParseArgsConfig): { values: FlagValues; positionals: string[] } {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.replaceAll('\n', ' '));
  }
}

/** The value of a flag that takes one. */
export function textOf(values: FlagValues, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
