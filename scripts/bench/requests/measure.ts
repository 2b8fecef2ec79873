// Measures how many requests the service answers, and how fast, over the loopback interface.
import { ServiceProcess } from '../../processes/service.ts';
import type { RequestEffort } from '../core/plan.ts';
import type { RequestResults } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import { load } from './load.ts';
import { pngOf } from './png.ts';

/** The kind of picture that services receive most. */
const KIND = 'logo';

export async function measureRequests(effort: RequestEffort): Promise<RequestResults[]> {
  const [one, two] = await Promise.all([serviceOf(1), serviceOf(2)]);
  try {
    const results: RequestResults[] = [];
    for (const side of effort.sides) results.push(...(await measure({ 1: one, 2: two }, side, effort)));
    return results;
  } finally {
    await Promise.all([one.stop(), two.stop()]);
  }
}

/** A service with its default settings, logging included. */
function serviceOf(workers: number): Promise<ServiceProcess> {
  return ServiceProcess.start({ TRACESMITH_HOST: '127.0.0.1', TRACESMITH_WORKERS: String(workers) });
}

async function measure(services: Record<1 | 2, ServiceProcess>, side: number, effort: RequestEffort) {
  const pngFile = await pngOf(KIND, side);
  const { ms, requests } = effort;
  const empty = () => ({ perSecond: [], serviceCpuMs: [], latenciesMs: [], engineMs: [], refused: 0 });
  // What compilers need before anything counts.
  for (const { url, keys } of Object.values(services))
    await load({ url, key: keys.enterprise, pngFile, connections: 2, ms, requests }, empty());
  const results = effort.loads.map((one): RequestResults => ({ side, ...one, ...empty() }));
  // In each round the loads take turns, so that a disturbance affects all of them.
  for (let round = 0; round < effort.rounds; round++) {
    for (const [i, { workers, connections }] of effort.loads.entries()) {
      const { url, keys } = services[workers];
      const result = results[i] as RequestResults;
      const cpuSeconds = () => services[workers].metric('process_cpu_seconds_total');
      const before = await cpuSeconds();
      const answered = await load({ url, key: keys.enterprise, pngFile, connections, ms, requests }, result);
      result.serviceCpuMs.push((((await cpuSeconds()) - before) * 1000) / answered);
    }
  }
  console.log(`requests, ${side} px: ${results.map(line).join(', ')}`);
  return results;
}

const line = ({ connections, perSecond, latenciesMs }: RequestResults) =>
  `${connections} × ${median(perSecond).toPrecision(3)}/s at ${median(latenciesMs).toPrecision(3)} ms`;
