import { type OptionSpec, optionTable } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { SETTINGS, THREADS } from '../config/settings.ts';
import { LIMITS } from './file-tracer.ts';
import { FLAGS, flagOf, negationOf } from './flags.ts';

const WIDTH = 96;
const INDENT = 6;

const EXAMPLES = [
  ['tracesmith logo.png', 'write logo.svg'],
  ['tracesmith logo.png -o drawing.svg', 'write drawing.svg'],
  ['tracesmith scans/ -o drawings/ -p line-art', 'trace a folder with its subfolders'],
  ["tracesmith 'art/**/*.png' -o drawings/", 'trace the files that match a pattern'],
  ['tracesmith a.png b.jpg --filter-speckle 8', 'trace several images with an option'],
  ['curl -s https://… | tracesmith - > logo.svg', 'read stdin, write stdout'],
  ['tracesmith photos/ --json > report.json', 'write a report for a program'],
] as const;

const NOTES = [
  'Formats: PNG, JPEG, WebP, GIF (first frame) and BMP, detected from the content of the file.',
  'In folders, only files with the extension of an image are traced. Hidden files and links to folders are skipped.',
  'An existing SVG is overwritten only if -o names it or --force is given. Input images are never overwritten.',
  'Put -- before a file name that starts with a dash: tracesmith -- -logo.png',
];

const EXIT_CODES = [
  ['0', 'All images were traced, or skipped because of --skip-existing.'],
  ['1', 'Some images failed, or there were none. Errors are on stderr; the others were traced.'],
  ['2', 'Invalid arguments or environment variable. Nothing was written.'],
  ['130', 'Interrupted (other signals: 129, 143). Finished SVGs are kept.'],
  ['141', 'stdout was closed (EPIPE).'],
] as const;

/** The text of --help. Names, ranges and defaults come from the tables that the parsers use. */
export function helpText(): string {
  const limits = [...LIMITS.map((name) => SETTINGS[name]), SETTINGS.workers, THREADS];
  return [
    'tracesmith converts raster images to SVG.\n',
    '  tracesmith [options] <image | folder | pattern | ->…\n',
    section('Examples', columns(EXAMPLES)),
    section('Notes', NOTES.map((note) => wrap(note, 2)).join('')),
    section('Options', Object.entries(FLAGS).map(ownFlag).join('')),
    section(
      'Tracing options (camel case works, too: --colorMode, --filterSpeckle)',
      optionTable.map(engineFlag).join(''),
    ),
    section('Presets', PRESETS.map(presetText).join('')),
    section('Limits (environment variables)', limits.map(limitText).join('')),
    section('Exit codes', columns(EXIT_CODES)),
  ].join('\n');
}

function ownFlag([name, flag]: [string, { short?: string; value?: string; description: string }]): string {
  const short = flag.short === undefined ? '' : `-${flag.short}, `;
  const value = flag.value === undefined ? '' : ` <${flag.value}>`;
  return entry(`${short}--${name}${value}`, flag.description);
}

function engineFlag(row: OptionSpec): string {
  const flag = flagOf(row.name);
  if (row.type === 'flag')
    return (
      entry(`--${flag}`, row.meaning) + entry(`--${negationOf(flag)}`, `Override a preset with --${flag}.`)
    );
  const values = row.type === 'choice' ? row.choices.join('|') : `${row.min} to ${row.max} ${row.unit}`;
  return entry(`--${flag} <${values}>  default ${row.default}`, row.meaning);
}

function presetText({ name, description, options }: (typeof PRESETS)[number]): string {
  const flags = Object.entries(options).map(([option, value]) =>
    value === true ? `--${flagOf(option)}` : `--${flagOf(option)} ${value}`,
  );
  return entry(name, `${description} ${flags.length === 0 ? 'All defaults.' : flags.join(' ')}`);
}

function limitText(limit: (typeof SETTINGS)[(typeof LIMITS)[number]] | typeof THREADS): string {
  const { variable, description, expected, defaultValue, defaultText } = { defaultText: undefined, ...limit };
  return entry(`${variable}  default ${defaultText ?? defaultValue}`, `${description} Must be ${expected}.`);
}

const section = (title: string, body: string) => `${title}:\n${body}`;
const entry = (head: string, text: string) => `  ${head}\n${wrap(text, INDENT)}`;

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
