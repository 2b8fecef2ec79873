// What an image costs: processor time, throughput and bytes, by kind and size.
import { statSync } from 'node:fs';
import { median } from '../bench/core/statistics.ts';
import { load, type Responses } from '../bench/requests/load.ts';
import { pngOf } from '../bench/requests/png.ts';
import { ServiceProcess } from '../processes/service.ts';

export const KINDS = ['logo', 'text', 'photo'] as const;
export type Kind = (typeof KINDS)[number];
export const SIDES = [256, 512, 1024, 2048] as const;
/** One is traced while the next is uploaded and decoded. */
const CONNECTIONS = 2;
const ROUNDS = 5;
/** How long a round should take; it ends with its last response, so that no work is counted without one. */
const ROUND_MS = 2_500;
const REQUESTS = { least: 4, most: 400 };
const LIMIT_MS = 60_000;

export interface ImageCost {
  kind: Kind;
  side: number;
  uploadBytes: number;
  /** Processor time of the whole service for one request: the least of all rounds, as other programs can only add to it. */
  cpuMs: number;
  /** Requests per second of one worker in the best round, on a machine that also runs the client. */
  perSecond: number;
}

export const noResponses = (): Responses => ({ perSecond: [], latenciesMs: [], engineMs: [], refused: 0 });

/** Measures all kinds and sizes on a service with one worker. */
export async function measureImages(onCost: (cost: ImageCost) => void): Promise<ImageCost[]> {
  const service = await ServiceProcess.start({ TRACESMITH_WORKERS: '1', TRACESMITH_LOG_LEVEL: 'warn' });
  try {
    const costs: ImageCost[] = [];
    for (const kind of KINDS)
      for (const side of SIDES) {
        const cost = await measureImage(service, kind, side);
        costs.push(cost);
        onCost(cost);
      }
    return costs;
  } finally {
    await service.stop();
  }
}

async function measureImage(service: ServiceProcess, kind: Kind, side: number): Promise<ImageCost> {
  const pngFile = await pngOf(kind, side);
  const order = { url: service.url, key: service.keys.enterprise, pngFile, connections: CONNECTIONS };
  // What compilers need before anything counts; then, how many requests fill a round.
  await load({ ...order, ms: ROUND_MS, requests: REQUESTS.most }, noResponses());
  const trial = noResponses();
  await load({ ...order, ms: LIMIT_MS, requests: REQUESTS.least }, trial);
  const fitting = Math.round((median(trial.perSecond) * ROUND_MS) / 1_000);
  const requests = Math.max(REQUESTS.least, Math.min(REQUESTS.most, fitting));
  const cpuMs: number[] = [];
  const found = noResponses();
  for (let round = 0; round < ROUNDS; round++) {
    const before = await service.metric('process_cpu_seconds_total');
    const answered = await load({ ...order, ms: LIMIT_MS, requests }, found);
    const seconds = (await service.metric('process_cpu_seconds_total')) - before;
    cpuMs.push((seconds * 1_000) / answered);
  }
  if (found.refused > 0) throw new Error(`${kind} of ${side} px: ${found.refused} requests failed`);
  return {
    ...{ kind, side, uploadBytes: statSync(pngFile).size },
    ...{ cpuMs: Math.min(...cpuMs), perSecond: Math.max(...found.perSecond) },
  };
}
