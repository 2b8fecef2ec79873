import { type ParseArgsConfig, parseArgs } from 'node:util';

/** A command line that makes no sense; the message is for its author. */
export class UsageError extends Error {}

export type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

/** node:util's parser, with its complaints as usage errors. */
export function parse(config: ParseArgsConfig): { values: Values; positionals: string[] } {
  try {
    return parseArgs(config);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new UsageError(message.replaceAll('\n', ' '));
  }
}

/** The value of a flag that takes one. */
export function textOf(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value : undefined;
}
