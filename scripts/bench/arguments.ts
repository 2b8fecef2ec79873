import { InvalidArgumentError, Option, Command as Parser } from 'commander';
import { KINDS } from './core/kinds.ts';
import { reportFolder } from './core/paths.ts';
import { EFFORTS, type Effort } from './core/plan.ts';
import { peerIds } from './engines/peers.ts';

const MODES = Object.keys(EFFORTS);
const PARTS = ['engine', 'requests', 'starts'];
const KIND_NAMES = KINDS.map(({ name }) => name);

interface Flags {
  mode: keyof typeof EFFORTS;
  parts?: string[];
  only?: string[];
  sizes?: number[];
  rounds?: number;
  peers?: string[];
  pictures?: string;
  colorMode: 'color' | 'binary';
  save?: string;
  compare?: string;
  out: string;
  asBuilt?: boolean;
}

/** The command line with its defaults filled in. */
export type Command = Flags & Required<Pick<Flags, 'only' | 'parts' | 'peers'>> & { effort: Effort };

const EXAMPLES = `
Examples:
  npm run bench                        some minutes: ${EFFORTS.quick.sizes.join(', ')} px a side
  npm run bench -- --mode full         hours: ${EFFORTS.full.sizes.join(', ')} px
  npm run bench -- --save before       keeps this engine and its results as "before"
  npm run bench -- --compare before    runs this engine and that one in turns: the effect of a change`;

const all = (choices: string[]) => `all, or some of ${choices.join(',')}`;

const parser = new Parser('npm run bench --')
  .description('Times the engine beside other tracers, and writes a report.')
  .addOption(new Option('--mode <mode>', 'how long and how often to measure').choices(MODES).default('quick'))
  .option('--parts <parts>', `${all(PARTS)} (default: all; with --compare, engine)`, someOf(PARTS))
  .option('--only <kinds>', all(KIND_NAMES), someOf(KIND_NAMES))
  .option('--sizes <pixels>', 'sides of the pictures, for example 64,512', wholes)
  .option('--rounds <number>', 'samples per engine and picture, at most', whole)
  .option('--peers <names>', `none, ${all(peerIds)} (default: all; with --compare, none)`, noneOr(peerIds))
  .option(
    '--pictures <folder>',
    'measure the PNG, JPEG, WebP and GIF files in this folder and its subfolders',
  )
  .addOption(new Option('--color-mode <mode>', 'for those').choices(['color', 'binary']).default('color'))
  .option('--save <name>', 'keep the engine and the results', folderName)
  .option('--compare <name>', 'compare with a kept engine', folderName)
  .addOption(
    new Option('--out <folder>', 'where to write the report').default(reportFolder, '.cache/bench/report'),
  )
  .option('--as-built', 'use the engine as it was built last')
  .addHelpText('after', EXAMPLES);

/** Reads the command line; ends the process if it is invalid or asks for help. */
export function readCommand(args: string[]): Command {
  const flags = parser.parse(args, { from: 'user' }).opts<Flags>();
  const { mode, compare, sizes = EFFORTS[mode].sizes, rounds = EFFORTS[mode].rounds } = flags;
  return {
    only: KIND_NAMES,
    parts: compare === undefined ? PARTS : ['engine'],
    peers: compare === undefined && mode !== 'smoke' ? peerIds : [],
    ...flags,
    effort: { ...EFFORTS[mode], sizes, rounds },
  };
}

/** A reader of choices, separated by commas. */
function someOf(choices: string[]) {
  return (text: string): string[] => {
    const names = text === 'all' ? choices : text.split(',');
    if (names.every((name) => choices.includes(name))) return names;
    throw new InvalidArgumentError(`Expected ${all(choices)}.`);
  };
}

function noneOr(choices: string[]) {
  return (text: string): string[] => (text === 'none' ? [] : someOf(choices)(text));
}

function whole(text: string): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= 1 && value <= 16_384) return value;
  throw new InvalidArgumentError('Expected whole numbers from 1 to 16384.');
}

function wholes(text: string): number[] {
  return text.split(',').map(whole);
}

/** The name becomes that of a folder. */
function folderName(name: string): string {
  if (/^[\w.-]{1,64}$/.test(name) && !/^\.+$/.test(name)) return name;
  throw new InvalidArgumentError('The name of a saved engine has letters, digits, ".", "_" and "-".');
}
