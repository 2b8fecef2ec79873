import type { OptionSpec } from 'tracesmith-wasm';
import { PRESETS } from '../config/presets.ts';
import { SETTINGS } from '../config/settings.ts';

export const ENGINES = ['auto', 'native', 'wasm'] as const;
export type EngineChoice = (typeof ENGINES)[number];

/** A flag of the command line, for the parser and for --help. */
export interface Flag {
  short?: string;
  /** The name of its value in the help; absent for a boolean flag. */
  value?: string;
  description: string;
}

/** All flags but the options of the engine. */
export const FLAGS = {
  output: {
    short: 'o',
    value: 'file.svg | folder/ | -',
    description: 'Output file or folder; - is stdout. By default, each SVG is written next to its image.',
  },
  preset: {
    short: 'p',
    value: PRESETS.map(({ name }) => name).join('|'),
    description: 'Use a named set of options; explicit flags override the preset.',
  },
  force: { short: 'f', description: 'Overwrite existing SVGs.' },
  'skip-existing': {
    description: 'Skip images whose SVG exists, for example to resume an interrupted run.',
  },
  'keep-extension': {
    description: 'Name the SVG of logo.png logo.png.svg, so that logo.jpg does not conflict with it.',
  },
  jobs: {
    short: 'j',
    value: 'number',
    description: `Number of images to trace at the same time: ${SETTINGS.workers.expected}. By default, the number of CPUs, with --remote 4 for each URL.`,
  },
  engine: {
    value: ENGINES.join('|'),
    description: 'auto: the native engine if installed, else WebAssembly. The SVGs are the same.',
  },
  remote: {
    value: 'url,…',
    description:
      'Have the images traced by services at these base URLs instead. The API key is read from TRACESMITH_API_KEY or --key-file.',
  },
  'key-file': { value: 'file', description: 'File that holds the API key for --remote.' },
  json: { description: 'Print a report as JSON to stdout.' },
  quiet: { short: 'q', description: 'Print errors only.' },
  version: { description: 'Print the version.' },
  help: { short: 'h', description: 'Print this help.' },
} as const satisfies Record<string, Flag>;

/** The flag of an engine option: `filterSpeckle` becomes `filter-speckle`. The option's name itself works, too. */
export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The names of an engine option on the command line. */
export const namesOf = ({ name }: OptionSpec): string[] => [...new Set([flagOf(name), name])];

/** The flag that switches a boolean option off, if a preset switches it on. */
export const negationOf = (flag: string): string => `no-${flag}`;
