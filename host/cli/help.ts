import { type OptionSpec, optionTable } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { SETTINGS } from '../config/settings.ts';
import { FLAGS, flagOf } from './flags.ts';
import { LIMITS } from './tracer.ts';

const WIDTH = 96;
const INDENT = 6;

const EXAMPLES = [
  ['tracesmith logo.png', 'logo.svg, beside it'],
  ['tracesmith logo.png -o drawing.svg', 'a name of your own'],
  ['tracesmith scans/ -o drawings/ -p line-art', 'a folder and all below it, in the same folders'],
  ["tracesmith 'art/**/*.png' -o drawings/", 'a pattern; quotes keep it from the shell'],
  ['tracesmith a.png b.jpg --filter-speckle 8', 'several pictures, with an option'],
  ['curl -s https://… | tracesmith - > logo.svg', 'from stdin to stdout'],
  ['tracesmith photos/ --json > report.json', 'what became of each, for a program'],
] as const;

const NOTES = [
  'In folders, files are taken for pictures by their extensions; hidden ones, and links to folders, are left alone.',
  'A drawing that is there is written over only where -o spells its name, or with --force. No picture ever is.',
  'Pictures are told by their content, whatever their name; BMP, GIF (first frame), JPEG, PNG and WebP are read.',
  'A name that begins with - comes after --, as in: tracesmith -- -logo.png',
];

const EXIT_CODES = [
  ['0', 'All pictures were traced, or their drawings were there (--skip-existing).'],
  ['1', 'Some failed, or there were none. stderr says which and why; the others were traced.'],
  ['2', 'The command line, or a variable, makes no sense. Nothing was done.'],
  ['130', 'Interrupted (129, 143: by another signal). Drawings that were finished stay.'],
  ['141', 'Whoever read stdout went away.'],
] as const;

/** What --help prints. All names, ranges and defaults are from the tables that are used to check them. */
export function helpText(): string {
  const limits = LIMITS.map((name) => SETTINGS[name]);
  return [
    'tracesmith turns pictures into SVG drawings.\n',
    '  tracesmith [options] <picture | folder | pattern | ->…\n',
    section('Examples', columns(EXAMPLES)),
    section('Good to know', NOTES.map((note) => wrap(note, 2)).join('')),
    section('Options', Object.entries(FLAGS).map(ownFlag).join('')),
    section(
      'Options of the drawing (also as colorMode, filterSpeckle …)',
      optionTable.map(engineFlag).join(''),
    ),
    section('Presets', PRESETS.map(presetText).join('')),
    section(
      'Limits, set by variables',
      limits
        .map((row) =>
          entry(
            row.variable,
            `${row.meaning} ${sentence(row.expected)} ${row.fallbackIs ?? row.fallback} if not set.`,
          ),
        )
        .join(''),
    ),
    section('Exit codes', columns(EXIT_CODES)),
  ].join('\n');
}

function ownFlag([name, flag]: [string, { short?: string; value?: string; meaning: string }]): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  return entry(`${short}--${name}${value}`, flag.meaning);
}

function engineFlag(row: OptionSpec): string {
  const values = row.type === 'choice' ? row.choices.join('|') : `${row.min} to ${row.max} ${row.unit}`;
  return entry(`--${flagOf(row.name)} <${values}>  default ${row.default}`, row.meaning);
}

function presetText({ name, meaning, options }: (typeof PRESETS)[number]): string {
  const given = Object.entries(options).map(([option, value]) => `--${flagOf(option)} ${value}`);
  return entry(name, `${meaning} ${given.length === 0 ? 'All defaults.' : given.join(' ')}`);
}

const section = (title: string, body: string) => `${title}:\n${body}`;
const entry = (head: string, text: string) => `  ${head}\n${wrap(text, INDENT)}`;
const sentence = (text: string) => `${text.charAt(0).toUpperCase()}${text.slice(1)};`;

function columns(rows: readonly (readonly [string, string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length)) + 2;
  return rows.map(([left, right]) => `  ${left.padEnd(width)}${right}\n`).join('');
}

function wrap(text: string, indent: number): string {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && indent + line.length + 1 + word.length <= WIDTH)
      lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.map((line) => `${' '.repeat(indent)}${line}\n`).join('');
}
