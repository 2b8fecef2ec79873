import type { Cell, Floor, RequestResults } from '../core/request-results.ts';
import { median, quantile, ratio } from '../core/statistics.ts';
import { rows } from '../plot/plots.ts';
import { figure, paragraph, type Section, table } from './model.ts';
import { digits, ratioWords } from './words.ts';

const PERCENTILES = [0.5, 0.9, 0.99];
const name = (part: number) => `${part * 100} %`;

/** What the service adds to the engine, and how much it gets done. */
export function requests(found: RequestResults): Section {
  return {
    title: 'Requests to the service',
    blocks: [
      paragraph(
        'A service with two workers on this machine, called with one PNG (the kind “logo”) again and again. Callers run in a process of their own on the same processors; how much they take is given too. Every connection sends its next request when it has the answer to its last.',
      ),
      table(
        [
          'picture',
          'connections',
          'requests/s',
          ...PERCENTILES.map((part) => `${name(part)} ms`),
          'refused',
          'service CPU ms',
          'callers’ CPU ms',
        ],
        found.cells.map(cellRow),
      ),
      figure(
        'latencies',
        latencies(found.cells),
        'Latencies: half, nine tenths and 99 of 100 requests were answered within this time.',
      ),
      paragraph(
        'What the host adds. By processor time: that of the service for a request, less that of decoding and tracing the same file with no service around. By the clock, with one caller: medians of the latency, of decoding and tracing as the service times them, and of what is left; beside it the latency of a server that only reads the same body and sends as long an answer.',
      ),
      table(
        [
          'picture',
          'decode + trace alone, CPU ms',
          'service, CPU ms',
          'host adds',
          'of the whole',
          'latency, ms',
          'decode + trace in it',
          'host adds',
          'of the whole',
          'bare HTTP, ms',
          'first request, ms',
        ],
        found.floors.map((floor) => floorRow(floor, single(found, floor.side))),
      ),
      ...workers(found),
    ],
  };
}

function cellRow(cell: Cell): string[] {
  const latencies = PERCENTILES.map((part) => digits(quantile(cell.latenciesMs, part)));
  const cpu = [digits(median(cell.serviceCpuMs)), digits(median(cell.callerCpuMs))];
  return [
    `${cell.side} px`,
    String(cell.connections),
    digits(median(cell.perSecond)),
    ...latencies,
    String(cell.refused),
    ...cpu,
  ];
}

/** The cell with the fewest connections. */
function single({ cells }: RequestResults, side: number): Cell {
  const [fewest] = cells.filter((cell) => cell.side === side).sort((a, b) => a.connections - b.connections);
  return fewest as Cell;
}

function floorRow({ side, aloneCpuMs, bareMs, firstMs }: Floor, cell: Cell): string[] {
  const [alone, service] = [median(aloneCpuMs), median(cell.serviceCpuMs)];
  const [latency, engine] = [median(cell.latenciesMs), median(cell.engineMs)];
  const added = median(cell.latenciesMs.map((ms, i) => ms - (cell.engineMs[i] ?? 0)));
  const share = (part: number, whole: number) => `${digits((100 * part) / whole)} %`;
  const cpu = [digits(alone), digits(service), digits(service - alone), share(service - alone, service)];
  const wall = [digits(latency), digits(engine), digits(added), share(added, latency)];
  return [`${side} px`, ...cpu, ...wall, digits(median(bareMs)), digits(firstMs)];
}

function latencies(cells: Cell[]) {
  const points = cells.flatMap((cell) =>
    PERCENTILES.map((part) => ({
      series: name(part),
      group: `${cell.side} px, ${cell.connections} conn.`,
      value: quantile(cell.latenciesMs, part),
    })),
  );
  return rows(points, { title: 'ms', isLog: true });
}

function workers({ one, two, floors }: RequestResults) {
  const gain = ratio([{ ours: two.perSecond, theirs: one.perSecond }]);
  const alone = floors.find(({ side }) => side === two.side);
  // One worker fills one processor with decoding and tracing; two workers, the host and the callers share two.
  const neededMs = median(two.serviceCpuMs) + median(two.callerCpuMs);
  const most = alone === undefined ? undefined : (2 * median(alone.aloneCpuMs)) / neededMs;
  const row = (cell: Cell) => [
    `${cell.workers}`,
    digits(median(cell.perSecond)),
    digits(median(cell.serviceCpuMs)),
    digits(median(cell.callerCpuMs)),
    digits(coresUsed(cell)),
  ];
  return [
    paragraph(
      `Two workers answer ${ratioWords(gain)} times as many requests as one: ${one.side} px, ${one.connections} connections, two services taking turns. On two processors that they share with their callers, ${digits(most)} times as many is the most there could be, by the processor time that service, callers and decoding and tracing alone take for a request.`,
    ),
    table(
      ['workers', 'requests/s', 'service CPU ms', 'callers’ CPU ms', 'processors used'],
      [row(one), row(two)],
    ),
  ];
}

/** By service and callers together. */
function coresUsed(cell: Cell): number {
  return (median(cell.perSecond) * (median(cell.serviceCpuMs) + median(cell.callerCpuMs))) / 1000;
}
