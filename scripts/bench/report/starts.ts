import type { Start, StartResults } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import { type Block, digits, table } from './model.ts';

const trace = (number: number) => (start: Start) => Number(start.tracesMs[number - 1]);
const untilFirst = (start: Start) => start.importMs + start.initMs + trace(1)(start);

const COLUMNS: Record<string, (start: Start) => number> = {
  import: ({ importMs }) => importMs,
  init: ({ initMs }) => initMs,
  first: trace(1),
  second: trace(2),
  tenth: trace(10),
  'first SVG after import': untilFirst,
};

/** What the first images cost a program that has only just started. */
export function starts(found: StartResults[]): Block[] {
  return [
    '## The first images of a process',
    'Wall time in ms, medians over processes. Each process is new: it imports the WebAssembly package, calls `init()`, and then traces one picture ten times with `traceSync`. The last column is the sum of `import`, `init()` and the first image. The start of the runtime itself is not part of it.',
    table(
      ['runtime and picture', ...Object.keys(COLUMNS)],
      found.map(({ runtime, picture, processes }) => [
        `${runtime}, ${picture}`,
        ...Object.values(COLUMNS).map((value) => digits(median(processes.map(value)))),
      ]),
    ),
  ];
}
