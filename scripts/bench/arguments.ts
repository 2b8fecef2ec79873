import { parseArgs } from 'node:util';
import { StepFailed } from '../lib/command.ts';
import { KINDS } from './art/kinds.ts';
import { EFFORTS, type Effort } from './core/plan.ts';
import { peerIds } from './engines/peers.ts';

/** What can be measured. */
const PARTS = ['engine', 'requests'] as const;
export type Part = (typeof PARTS)[number];

export interface Command {
  mode: keyof typeof EFFORTS;
  effort: Effort;
  parts: Part[];
  kinds: string[];
  peers: string[];
  /** A folder of pictures, in the place of the drawn ones. */
  pictures?: string;
  /** Of the pictures in that folder. */
  colorMode?: 'color' | 'binary';
  save?: string;
  compare?: string;
  out?: string;
  asBuilt: boolean;
}

const FLAGS = {
  mode: { type: 'string', default: 'quick' },
  parts: { type: 'string' },
  only: { type: 'string' },
  sizes: { type: 'string' },
  rounds: { type: 'string' },
  peers: { type: 'string' },
  pictures: { type: 'string' },
  'color-mode': { type: 'string' },
  save: { type: 'string' },
  compare: { type: 'string' },
  out: { type: 'string' },
  'as-built': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

export const HELP = `Times the engine, beside other tracers, and writes a report.

  npm run bench                             some minutes: ${EFFORTS.quick.sizes.join(' and ')} px a side
  npm run bench -- --mode full              hours: ${EFFORTS.full.sizes.join(', ')} px
  npm run bench -- --save before            keeps this engine, with its figures, as "before"
  npm run bench -- --compare before         this engine and that one take turns: what did the change do?

  --mode <${Object.keys(EFFORTS).join('|')}>   how long and how often is measured
  --parts <parts>         of ${PARTS.join(',')} (both, but engine alone with --compare)
  --only <kinds>          of ${KINDS.map(({ name }) => name).join(',')}
  --sizes <pixels>        sides of the pictures, for example 64,512
  --rounds <number>       most samples per engine and picture
  --peers <names>         all, none, or of ${peerIds.join(',')}
                          (all, but none with --compare)
  --pictures <folder>     PNG, JPEG, WebP and GIF files in this folder and those in it, instead of drawn pictures
  --color-mode <mode>     color or binary, for those
  --save <name>           keep the engine and the figures
  --compare <name>        against a kept engine
  --out <folder>          where the report goes; by default .cache/bench/report
  --as-built              take the engine as it was built last
  --help
`;

/** Reads a command line; throws a StepFailed that says what is wrong. */
export function readCommand(args: string[]): Command | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const mode = oneOf('--mode', values.mode, Object.keys(EFFORTS) as (keyof typeof EFFORTS)[]);
  const { compare, save, pictures, out } = values;
  for (const name of [compare, save]) if (name !== undefined) checkName(name);
  const peers = values.peers ?? (compare === undefined && mode !== 'smoke' ? 'all' : 'none');
  const colorMode = values['color-mode'];
  return {
    mode,
    effort: effortOf(EFFORTS[mode], values),
    parts: someOf('--parts', values.parts ?? (compare === undefined ? undefined : 'engine'), PARTS),
    kinds: someOf(
      '--only',
      values.only,
      KINDS.map(({ name }) => name),
    ),
    peers: peers === 'none' ? [] : someOf('--peers', peers === 'all' ? undefined : peers, peerIds),
    asBuilt: values['as-built'],
    ...defined({ compare, save, pictures, out }),
    ...(colorMode === undefined ? {} : { colorMode: oneOf('--color-mode', colorMode, ['color', 'binary']) }),
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS });
  } catch (error) {
    throw new StepFailed(error instanceof Error ? error.message : String(error));
  }
}

function effortOf(effort: Effort, { sizes, rounds }: { sizes?: string; rounds?: string }): Effort {
  return {
    ...effort,
    ...(sizes === undefined ? {} : { sizes: sizes.split(',').map((size) => whole('--sizes', size)) }),
    ...(rounds === undefined ? {} : { rounds: whole('--rounds', rounds) }),
  };
}

function whole(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 16_384) return value;
  throw new StepFailed(`${flag}: expected whole numbers from 1 to 16384, not "${text}"`);
}

function oneOf<T extends string>(flag: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found === undefined)
    throw new StepFailed(`${flag}: expected one of ${choices.join(', ')}, not "${value}"`);
  return found;
}

function someOf<T extends string>(flag: string, list: string | undefined, choices: readonly T[]): T[] {
  return list === undefined ? [...choices] : list.split(',').map((value) => oneOf(flag, value, choices));
}

/** It becomes the name of a folder. */
function checkName(name: string): void {
  if (!/^[\w.-]{1,64}$/.test(name) || /^\.+$/.test(name))
    throw new StepFailed(`a saved engine's name has letters, digits, ".", "_" and "-", not "${name}"`);
}

function defined<T extends object>(values: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return Object.fromEntries(entries) as { [K in keyof T]?: NonNullable<T[K]> };
}
