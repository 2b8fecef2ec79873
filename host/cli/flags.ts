import { PRESETS } from '../config/presets.ts';

export const ENGINES = ['auto', 'native', 'wasm'] as const;
export type EngineChoice = (typeof ENGINES)[number];

export interface Flag {
  short?: string;
  /** How the value is called in the help; a flag without one is a switch. */
  value?: string;
  meaning: string;
}

/** The flags that are not the engine's options. */
export const FLAGS = {
  output: {
    short: 'o',
    value: 'file.svg | folder/ | -',
    meaning: 'Where drawings go; - is stdout. Without it, each goes beside its picture.',
  },
  preset: {
    short: 'p',
    value: PRESETS.map(({ name }) => name).join('|'),
    meaning: 'Options that go well together; options given as well go before.',
  },
  force: { short: 'f', meaning: 'Write over drawings that are there.' },
  'skip-existing': {
    meaning: 'Leave pictures alone whose drawing is there: to go on after an interruption.',
  },
  'keep-extension': {
    meaning: 'Call the drawing of logo.png logo.png.svg, so that logo.jpg can have one too.',
  },
  jobs: { short: 'j', value: 'number', meaning: 'Pictures at once; without it, as many as there are CPUs.' },
  engine: {
    value: ENGINES.join('|'),
    meaning: 'auto: native where it is installed, else WebAssembly; the drawings are the same.',
  },
  json: { meaning: 'Print a report of every picture to stdout, as JSON.' },
  quiet: { short: 'q', meaning: 'Tell only what failed.' },
  version: { meaning: 'Print the version.' },
  help: { short: 'h', meaning: 'Print this.' },
} as const satisfies Record<string, Flag>;

/** Every option of the engine is a flag: `filterSpeckle` is `--filter-speckle`, or as it is. */
export const flagOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
