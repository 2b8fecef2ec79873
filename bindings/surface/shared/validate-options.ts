import { type OptionProblem, TracesmithError } from './errors.ts';
import { type OptionSpec, optionTable } from './options.ts';

const LONGEST_QUOTE = 40;

/** Everything wrong with `options`; empty when they may be passed to `trace`. */
export function validateOptions(options: unknown): OptionProblem[] {
  return readOptions(options).problems;
}

/** The options as the engine takes them, one `name=value` a line, numbers by their bits; throws `invalid_option` with every problem. */
export function settingsOf(options: unknown): string {
  const { settings, problems } = readOptions(options);
  const [first] = problems;
  if (first === undefined) return settings.join('\n');
  const message =
    first.pointer === '' ? `options ${first.detail}` : `option ${first.pointer.slice(1)} ${first.detail}`;
  throw new TracesmithError('invalid_option', message, { errors: problems });
}

// One reading of each property serves both the check and the engine: a getter cannot answer twice differently.
function readOptions(options: unknown): { settings: string[]; problems: OptionProblem[] } {
  const settings: string[] = [];
  const problems: OptionProblem[] = [];
  if (options === undefined) return { settings, problems };
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    problems.push({ pointer: '', detail: `must be an object, not ${describe(options)}` });
    return { settings, problems };
  }
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined) continue;
    const detail = problemOf(name, value);
    if (detail === undefined) settings.push(`${name}=${typeof value === 'number' ? bitsOf(value) : value}`);
    else problems.push({ pointer: `/${pointerPart(name)}`, detail });
  }
  return { settings, problems };
}

// As the engine reads a number: the bits of its double, in hexadecimal. Reading decimals would cost the module 14 kB.
function bitsOf(value: number): string {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  return view.getBigUint64(0).toString(16);
}

function problemOf(name: string, value: unknown): string | undefined {
  const row = optionTable.find((candidate) => candidate.name === name);
  if (row === undefined) {
    return `is not an option: expected one of ${optionTable.map((candidate) => candidate.name).join(', ')}`;
  }
  return accepts(row, value) ? undefined : `must be ${expectation(row)}, not ${describe(value)}`;
}

function accepts(row: OptionSpec, value: unknown): boolean {
  if (row.type === 'choice') return typeof value === 'string' && row.choices.includes(value);
  return typeof value === 'number' && value >= row.min && value <= row.max;
}

function expectation(row: OptionSpec): string {
  if (row.type === 'number') return `a number from ${row.min} to ${row.max}`;
  return `one of ${row.choices.map((word) => `"${word}"`).join(', ')}`;
}

function describe(value: unknown): string {
  if (typeof value === 'string') {
    const text = value.length > LONGEST_QUOTE ? `${value.slice(0, LONGEST_QUOTE)}…` : value;
    return `the text ${JSON.stringify(text)}`;
  }
  if (typeof value === 'number' || typeof value === 'boolean' || value === null) return String(value);
  return Array.isArray(value) ? 'an array' : `a ${typeof value}`.replace('a object', 'an object');
}

function pointerPart(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
