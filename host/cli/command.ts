import { type OptionSpec, type Options, optionTable, validateOptions } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { SETTINGS } from '../config/settings.ts';
import { ENGINES, type EngineChoice, FLAGS, type Flag, flagOf } from './flags.ts';
import { parse, textOf, UsageError, type Values } from './parse-args.ts';

/** What becomes of a drawing that is there already under a name that was not spelled out. */
export type Existing = 'refuse' | 'replace' | 'keep';

/** What a command line asks for. */
export interface Command {
  inputs: string[];
  output: string | undefined;
  keepsExtension: boolean;
  existing: Existing;
  options: Options;
  engine: EngineChoice;
  jobs: number | undefined;
  isJson: boolean;
  isQuiet: boolean;
}

/** Reads a command line. */
export function parseCommand(args: string[]): Command | 'help' | 'version' {
  const names = optionTable.flatMap(({ name }) => [name, flagOf(name)]);
  const engine = names.map((name) => [name, { type: 'string' }] as const);
  const own = Object.entries<Flag>(FLAGS).map(([name, { short, value }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    return [name, { type, ...(short === undefined ? {} : { short }) }] as const;
  });
  const options = Object.fromEntries([...engine, ...own]);
  const { values, positionals } = parse({ args, options, allowPositionals: true });
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  return {
    inputs: positionals,
    output: textOf(values, 'output'),
    keepsExtension: values['keep-extension'] === true,
    existing: readExisting(values),
    options: readOptions(values),
    engine: readWord(values, 'engine', ENGINES) ?? 'auto',
    jobs: readJobs(values),
    isJson: values.json === true,
    isQuiet: values.quiet === true,
  };
}

function readOptions(values: Values): Options {
  const preset = readWord(
    values,
    'preset',
    PRESETS.map(({ name }) => name),
  );
  const given = optionTable.flatMap((row) => {
    const text = textOfOption(values, row);
    return text === undefined ? [] : [[row.name, readValue(text, row)] as const];
  });
  const options = Object.fromEntries(given);
  const [error] = validateOptions(options);
  if (error !== undefined) throw new UsageError(`--${flagOf(error.pointer.slice(1))} ${error.detail}.`);
  return { ...PRESETS.find(({ name }) => name === preset)?.options, ...options };
}

function textOfOption(values: Values, { name }: OptionSpec): string | undefined {
  const flag = flagOf(name);
  const [kebab, camel] = [textOf(values, flag), textOf(values, name)];
  if (flag !== name && kebab !== undefined && camel !== undefined)
    throw new UsageError(`--${flag} and --${name} are one option; give it once.`);
  return kebab ?? camel;
}

/** What is no number stays text, for the complaint; Number('') is 0, but a forgotten value must not become one. */
function readValue(text: string, { type }: OptionSpec): string | number {
  const value = type === 'number' && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isNaN(value) ? text : value;
}

function readExisting(values: Values): Existing {
  const [force, skip] = [values.force === true, values['skip-existing'] === true];
  if (force && skip) throw new UsageError('--force and --skip-existing contradict each other.');
  if (force) return 'replace';
  return skip ? 'keep' : 'refuse';
}

function readJobs(values: Values): number | undefined {
  const text = textOf(values, 'jobs');
  const jobs = text === undefined ? undefined : SETTINGS.workers.parse(text);
  if (text !== undefined && jobs === undefined)
    throw new UsageError(`--jobs must be ${SETTINGS.workers.expected}, not ${JSON.stringify(text)}.`);
  return jobs;
}

function readWord<T extends string>(values: Values, flag: string, words: readonly T[]): T | undefined {
  const text = textOf(values, flag);
  const word = words.find((one) => one === text);
  if (text !== undefined && word === undefined)
    throw new UsageError(`--${flag} must be one of ${words.join(', ')}, not ${JSON.stringify(text)}.`);
  return word;
}
