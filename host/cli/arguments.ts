import { basename, dirname, extname, join, resolve } from 'node:path';
import { type Options, optionTable, validateOptions } from 'tracesmith-wasm';
import { parse, UsageError, type Values } from './usage.ts';

/** One picture and where its drawing goes. */
export interface Task {
  from: string;
  to: string;
}

export interface Command {
  tasks: Task[];
  options: Options;
}

/** Reads a command line. Every option of the engine is a flag: `filterSpeckle` is `--filter-speckle`. */
export function parseCommand(args: string[]): Command | 'help' {
  const flags = optionTable.map((row) => [flagOf(row.name), { type: 'string' }] as const);
  const own = { 'out-dir': { type: 'string' }, help: { type: 'boolean', short: 'h' } } as const;
  const { values, positionals } = parse({
    args,
    allowPositionals: true,
    options: { ...Object.fromEntries(flags), ...own },
  });
  if (values.help === true) return 'help';
  const outDir = values['out-dir'];
  return {
    tasks: plan(positionals, typeof outDir === 'string' ? outDir : undefined),
    options: readOptions(values),
  };
}

function readOptions(values: Values): Options {
  const given = optionTable.flatMap((row) => {
    const text = values[flagOf(row.name)];
    if (typeof text !== 'string') return [];
    // Number('') is 0; a forgotten value must not become one.
    const value = row.type === 'number' && text.trim() !== '' ? Number(text) : text;
    return [[row.name, value] as const];
  });
  const options = Object.fromEntries(given);
  const [error] = validateOptions(options);
  if (error !== undefined) throw new UsageError(`--${flagOf(error.pointer.slice(1))}: ${error.detail}`);
  return options as Options;
}

/** `picture out.svg`, or any number of pictures whose drawings go to a folder, by default each its own. */
function plan(paths: string[], outDir: string | undefined): Task[] {
  const [from, to] = paths;
  if (from === undefined) throw new UsageError('Name a picture.');
  const isPair =
    paths.length === 2 && outDir === undefined && to !== undefined && extname(to).toLowerCase() === '.svg';
  if (isPair) return [{ from, to }];
  const tasks = paths.map((path) => ({
    from: path,
    to: join(outDir ?? dirname(path), `${basename(path, extname(path))}.svg`),
  }));
  const seen = new Set<string>();
  for (const task of tasks) {
    // a.png and a.jpg would both become a.svg.
    if (seen.has(resolve(task.to))) task.to = join(dirname(task.to), `${basename(task.from)}.svg`);
    seen.add(resolve(task.to));
  }
  return tasks;
}

export function helpText(): string {
  const rows = optionTable.map((row) => {
    const values = row.type === 'choice' ? row.choices.join('|') : `${row.min}–${row.max} ${row.unit}`;
    return `  --${flagOf(row.name)} <${values}>  default ${row.default}\n      ${row.meaning}\n`;
  });
  return [
    'Traces pictures (PNG, JPEG, WebP, GIF, BMP) to SVG.\n\n',
    '  npm run trace -- picture.png drawing.svg [options]\n',
    '  npm run trace -- a.png b.jpg … [--out-dir folder] [options]\n\n',
    ...rows,
    '  --out-dir <folder>\n      Where drawings go; without it, each goes beside its picture.\n',
    '  --help\n',
  ].join('');
}

function flagOf(name: string): string {
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
