import { type OptionSpec, type Options, optionTable, validateOptions } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { SETTINGS } from '../config/settings.ts';
import { ENGINES, type EngineChoice, FLAGS, type Flag, flagOf, namesOf, negationOf } from './flags.ts';
import { type FlagValues, parse, textOf, UsageError } from './parse-args.ts';
import { parseHosts } from './remote/host-list.ts';

/** What to do if an output file exists whose name was not given explicitly. */
export type ExistingFilePolicy = 'refuse' | 'replace' | 'keep';

/** Where images are traced, if not here. */
export interface Remote {
  /** Base URLs. */
  hosts: string[];
  keyFile: string | undefined;
}

/** A parsed command line. */
export interface Command {
  inputs: string[];
  output: string | undefined;
  keepsExtension: boolean;
  existing: ExistingFilePolicy;
  options: Options;
  engine: EngineChoice;
  jobs: number | undefined;
  remote: Remote | undefined;
  isJson: boolean;
  isQuiet: boolean;
}

/** Parses a command line. Throws `UsageError`. */
export function parseCommand(args: string[]): Command | 'help' | 'version' {
  const engineFlags = optionTable.flatMap((row) => {
    const kind = {
      type: row.type === 'flag' ? ('boolean' as const) : ('string' as const),
      isNumber: row.type === 'number',
    };
    const names = namesOf(row);
    const negations = row.type === 'flag' ? names.map(negationOf) : [];
    return [...names, ...negations].map((flag) => [flag, kind] as const);
  });
  const ownFlags = Object.entries<Flag>(FLAGS).map(([name, { short, value }]) => {
    const type = value === undefined ? ('boolean' as const) : ('string' as const);
    const isNumber = value === 'number';
    return [name, { type, isNumber, ...(short === undefined ? {} : { short }) }] as const;
  });
  const options = Object.fromEntries([...engineFlags, ...ownFlags]);
  const { values, positionals } = parse(args, options);
  if (values.help === true) return 'help';
  if (values.version === true) return 'version';
  return {
    inputs: positionals,
    output: textOf(values, 'output'),
    keepsExtension: values['keep-extension'] === true,
    existing: readExistingFilePolicy(values),
    options: readOptions(values),
    engine: readChoice(values, 'engine', ENGINES) ?? 'auto',
    jobs: readJobs(values),
    remote: readRemote(values),
    isJson: values.json === true,
    isQuiet: values.quiet === true,
  };
}

function readOptions(values: FlagValues): Options {
  const preset = readChoice(
    values,
    'preset',
    PRESETS.map(({ name }) => name),
  );
  const given = optionTable.flatMap((row) => {
    const value = optionValue(values, row);
    return value === undefined ? [] : [[row.name, value] as const];
  });
  const options = Object.fromEntries(given);
  const [error] = validateOptions(options);
  if (error !== undefined) throw new UsageError(`--${flagOf(error.pointer.slice(1))} ${error.detail}.`);
  return { ...PRESETS.find(({ name }) => name === preset)?.options, ...options };
}

function optionValue(values: FlagValues, row: OptionSpec): string | number | boolean | undefined {
  if (row.type === 'flag') return switchValue(values, row);
  const text = optionText(values, row);
  return text === undefined ? undefined : parseValue(text, row);
}

/** Undefined if neither the flag nor its negation is given: the preset decides. */
function switchValue(values: FlagValues, row: OptionSpec): boolean | undefined {
  const names = namesOf(row);
  const isGiven = (flag: string) => values[flag] === true;
  const [on, off] = [names.find(isGiven), names.map(negationOf).find(isGiven)];
  if (on !== undefined && off !== undefined) throw new UsageError(`--${on} and --${off} cannot be combined.`);
  return on === undefined && off === undefined ? undefined : on !== undefined;
}

function optionText(values: FlagValues, { name }: OptionSpec): string | undefined {
  const flag = flagOf(name);
  const [kebab, camel] = [textOf(values, flag), textOf(values, name)];
  if (flag !== name && kebab !== undefined && camel !== undefined)
    throw new UsageError(`--${flag} and --${name} are the same option. Pass only one of them.`);
  return kebab ?? camel;
}

/** An invalid number stays text, for the error message. Number('') is 0, but a missing value must not become 0. */
function parseValue(text: string, { type }: OptionSpec): string | number {
  const value = type === 'number' && text.trim() !== '' ? Number(text) : Number.NaN;
  return Number.isNaN(value) ? text : value;
}

function readExistingFilePolicy(values: FlagValues): ExistingFilePolicy {
  const [force, skip] = [values.force === true, values['skip-existing'] === true];
  if (force && skip) throw new UsageError('--force and --skip-existing cannot be combined.');
  if (force) return 'replace';
  return skip ? 'keep' : 'refuse';
}

function readJobs(values: FlagValues): number | undefined {
  const text = textOf(values, 'jobs');
  const jobs = text === undefined ? undefined : SETTINGS.workers.parse(text);
  if (text !== undefined && jobs === undefined)
    throw new UsageError(`--jobs must be ${SETTINGS.workers.expected}, not ${JSON.stringify(text)}.`);
  return jobs;
}

function readRemote(values: FlagValues): Remote | undefined {
  const [remote, keyFile] = [textOf(values, 'remote'), textOf(values, 'key-file')];
  if (remote === undefined) {
    if (keyFile !== undefined) throw new UsageError('--key-file is only for --remote.');
    return undefined;
  }
  if (textOf(values, 'engine') !== undefined)
    throw new UsageError('--engine and --remote cannot be combined: each service has its own engine.');
  return { hosts: parseHosts(remote), keyFile };
}

function readChoice<T extends string>(
  values: FlagValues,
  flag: string,
  choices: readonly T[],
): T | undefined {
  const text = textOf(values, flag);
  const choice = choices.find((one) => one === text);
  if (text !== undefined && choice === undefined)
    throw new UsageError(`--${flag} must be one of ${choices.join(', ')}, not ${JSON.stringify(text)}.`);
  return choice;
}
