import type { RequestResults } from '../core/results.ts';
import { median, quantile } from '../core/statistics.ts';
import { rows } from '../plot/plots.ts';
import { type Block, digits, figure, table } from './model.ts';

const PERCENTILES = [50, 90, 99];

/** How many requests the service answers, how fast, and what it adds to decoding and tracing. */
export function requests(found: RequestResults[]): Block[] {
  const count = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;
  const title = ({ side, connections, workers }: RequestResults) =>
    `${side} px, ${count(connections, 'connection')}, ${count(workers, 'worker')}`;
  const points = found.flatMap((one) =>
    PERCENTILES.map((part) => ({
      series: `${part} %`,
      group: title(one),
      value: quantile(one.latenciesMs, part / 100),
    })),
  );
  const percentiles = PERCENTILES.map((part) => `${part} %, ms`);
  return [
    '## Requests to the service',
    'A service on this machine receives one PNG (the kind “logo”) again and again, from clients on the same processors. Each connection sends its next request when it has the response to its last. The service adds to decoding and tracing what is left of the latency without them: the median over all requests.',
    table(
      ['load', 'requests/s', ...percentiles, 'service adds, ms', 'service CPU, ms', 'refused'],
      found.map((one) => [
        title(one),
        digits(median(one.perSecond)),
        ...PERCENTILES.map((part) => digits(quantile(one.latenciesMs, part / 100))),
        digits(median(one.latenciesMs.map((ms, i) => ms - Number(one.engineMs[i])))),
        digits(median(one.serviceCpuMs)),
        String(one.refused),
      ]),
    ),
    figure(
      'latencies',
      rows(points, { title: 'ms', isLog: true }),
      'Latencies: 50, 90 and 99 % of the requests were answered within this time.',
    ),
  ];
}
