// Measures how many requests the service answers, and how fast, over the loopback interface.
import { readFileSync } from 'node:fs';
import sharp from 'sharp';
import { Service } from '../../../test/http/service.ts';
import { drawnPictures } from '../core/pictures.ts';
import type { RequestEffort } from '../core/plan.ts';
import type { RequestResults } from '../core/results.ts';
import { median } from '../core/statistics.ts';
import { load } from './load.ts';

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
function serviceOf(workers: number): Promise<Service> {
  return Service.start({ TRACESMITH_HOST: '127.0.0.1', TRACESMITH_WORKERS: String(workers) });
}

async function measure(services: Record<1 | 2, Service>, side: number, effort: RequestEffort) {
  const png = await pngOf(side);
  const { ms, requests, warmMs, warmRequests } = effort;
  for (const { url, keys } of Object.values(services))
    await load({ url, key: keys.enterprise, png, connections: 2, ms: warmMs, requests: warmRequests });
  const empty = { perSecond: [], serviceCpuMs: [], latenciesMs: [], engineMs: [], refused: 0 };
  const results = effort.loads.map((one): RequestResults => structuredClone({ side, ...one, ...empty }));
  // In each round the loads take turns, so that a disturbance affects all of them.
  for (let round = 0; round < effort.rounds; round++) {
    for (const [i, { workers, connections }] of effort.loads.entries()) {
      const { url, keys } = services[workers];
      const cpuSeconds = () => services[workers].metric('process_cpu_seconds_total');
      const before = await cpuSeconds();
      const found = await load({ url, key: keys.enterprise, png, connections, ms, requests });
      const cpuMs = ((await cpuSeconds()) - before) * 1000;
      const result = results[i] as RequestResults;
      result.perSecond.push(found.perSecond);
      result.serviceCpuMs.push(cpuMs / found.latenciesMs.length);
      result.latenciesMs.push(...found.latenciesMs);
      result.engineMs.push(...found.engineMs);
      result.refused += found.refused;
    }
  }
  console.log(`requests, ${side} px: ${results.map(line).join(', ')}`);
  return results;
}

async function pngOf(side: number): Promise<Buffer> {
  const [picture] = drawnPictures([KIND], [side]);
  const rgba = readFileSync(await (picture as NonNullable<typeof picture>).file());
  return sharp(rgba, { raw: { width: side, height: side, channels: 4 } })
    .png()
    .toBuffer();
}

const line = ({ connections, perSecond, latenciesMs }: RequestResults) =>
  `${connections} × ${median(perSecond).toPrecision(3)}/s at ${median(latenciesMs).toPrecision(3)} ms`;
