import { parseArgs } from 'node:util';
import { StepFailed } from '../lib/command.ts';
import { KINDS } from './core/kinds.ts';
import { EFFORTS, type Effort } from './core/plan.ts';
import { peerIds } from './engines/peers.ts';

type Mode = keyof typeof EFFORTS;

const MODES = Object.keys(EFFORTS) as Mode[];
const PARTS = ['engine', 'requests'] as const;
const KIND_NAMES = KINDS.map(({ name }) => name);

export interface Command {
  mode: Mode;
  effort: Effort;
  parts: (typeof PARTS)[number][];
  kinds: string[];
  peers: string[];
  /** A folder of pictures, instead of the drawn ones. */
  pictures: string | undefined;
  /** Applies to the pictures in that folder. */
  colorMode: 'color' | 'binary';
  save: string | undefined;
  compare: string | undefined;
  out: string | undefined;
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
  'color-mode': { type: 'string', default: 'color' },
  save: { type: 'string' },
  compare: { type: 'string' },
  out: { type: 'string' },
  'as-built': { type: 'boolean', default: false },
  help: { type: 'boolean', default: false, short: 'h' },
} as const;

export const HELP = `Times the engine beside other tracers, and writes a report.

  npm run bench                             some minutes: ${EFFORTS.quick.sizes.join(' and ')} px a side
  npm run bench -- --mode full              hours: ${EFFORTS.full.sizes.join(', ')} px
  npm run bench -- --save before            keeps this engine and its results as "before"
  npm run bench -- --compare before         runs this engine and that one in turns: the effect of a change

  --mode <${MODES.join('|')}>   how long and how often to measure
  --parts <parts>         of ${PARTS.join(',')} (default: both; with --compare, engine)
  --only <kinds>          of ${KIND_NAMES.join(',')}
  --sizes <pixels>        sides of the pictures, for example 64,512
  --rounds <number>       samples per engine and picture, at most
  --peers <names>         all, none, or of ${peerIds.join(',')}
                          (default: all; with --compare, none)
  --pictures <folder>     PNG, JPEG, WebP and GIF files in this folder and its subfolders, instead of drawn pictures
  --color-mode <mode>     color or binary, for those
  --save <name>           keep the engine and the results
  --compare <name>        compare with a kept engine
  --out <folder>          where to write the report (default: .cache/bench/report)
  --as-built              use the engine as it was built last
  --help
`;

/** Reads the command line; throws StepFailed if it is invalid. */
export function readCommand(args: string[]): Command | 'help' {
  const { values } = parse(args);
  if (values.help) return 'help';
  const { compare, save, pictures, out, sizes, rounds } = values;
  const mode = oneOf('--mode', values.mode, MODES);
  for (const name of [compare, save]) if (name !== undefined) checkName(name);
  const effort: Effort = { ...EFFORTS[mode] };
  if (sizes !== undefined) effort.sizes = sizes.split(',').map((size) => whole('--sizes', size));
  if (rounds !== undefined) effort.rounds = whole('--rounds', rounds);
  const peers = values.peers ?? (compare === undefined && mode !== 'smoke' ? 'all' : 'none');
  return {
    mode,
    effort,
    parts: someOf('--parts', values.parts ?? (compare === undefined ? 'all' : 'engine'), PARTS),
    kinds: someOf('--only', values.only ?? 'all', KIND_NAMES),
    peers: peers === 'none' ? [] : someOf('--peers', peers, peerIds),
    colorMode: oneOf('--color-mode', values['color-mode'], ['color', 'binary']),
    asBuilt: values['as-built'],
    ...{ compare, save, pictures, out },
  };
}

function parse(args: string[]) {
  try {
    return parseArgs({ args, options: FLAGS });
  } catch (error) {
    throw new StepFailed(error instanceof Error ? error.message : String(error));
  }
}

function whole(flag: string, text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 16_384) return value;
  throw new StepFailed(`${flag}: expected whole numbers from 1 to 16384, not "${text}"`);
}

function oneOf<T extends string>(flag: string, value: string, choices: readonly T[]): T {
  const found = choices.find((choice) => choice === value);
  if (found !== undefined) return found;
  throw new StepFailed(`${flag}: expected one of ${choices.join(', ')}, not "${value}"`);
}

function someOf<T extends string>(flag: string, list: string, choices: readonly T[]): T[] {
  return list === 'all' ? [...choices] : list.split(',').map((value) => oneOf(flag, value, choices));
}

/** The name becomes that of a folder. */
function checkName(name: string): void {
  if (!/^[\w.-]{1,64}$/.test(name) || /^\.+$/.test(name))
    throw new StepFailed(`a saved engine's name has letters, digits, ".", "_" and "-", not "${name}"`);
}
