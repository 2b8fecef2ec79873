// How much memory a process needs, and each of its workers.
import { readFileSync } from 'node:fs';
import { load } from '../bench/requests/load.ts';
import { pngOf } from '../bench/requests/png.ts';
import { ServiceProcess } from '../processes/service.ts';
import { noResponses } from './images.ts';

const WORKERS = [1, 2, 4] as const;
const MS = 6_000;
const REQUESTS = 200;

export interface MemoryUse {
  workers: number;
  idleBytes: number;
  /** The largest resident memory under load. */
  peakBytes: number;
}

/** Measures with photographs of this size, the most expensive kind in the sizing. */
export async function measureMemory(side: number): Promise<MemoryUse[]> {
  const uses: MemoryUse[] = [];
  for (const workers of WORKERS) uses.push(await measure(workers, side));
  return uses;
}

async function measure(workers: number, side: number): Promise<MemoryUse> {
  const service = await ServiceProcess.start({
    TRACESMITH_WORKERS: String(workers),
    TRACESMITH_LOG_LEVEL: 'warn',
    UV_THREADPOOL_SIZE: String(workers + 2),
  });
  try {
    const idleBytes = service.residentBytes;
    const order = { url: service.url, key: service.keys.enterprise, ms: MS, requests: REQUESTS };
    await load({ ...order, pngFile: await pngOf('photo', side), connections: 2 * workers }, noResponses());
    return { workers, idleBytes, peakBytes: peakOf(service) };
  } finally {
    await service.stop();
  }
}

/** The peak of the resident memory, by the kernel of Linux. */
function peakOf({ process: { pid } }: ServiceProcess): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1]) * 1024;
}

/** What each further worker adds to the peak: the slope of the line through all measurements. */
export function bytesPerWorker(uses: MemoryUse[]): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [workers, peak] = [mean(uses.map((use) => use.workers)), mean(uses.map((use) => use.peakBytes))];
  const above = uses.reduce((sum, use) => sum + (use.workers - workers) * (use.peakBytes - peak), 0);
  return above / uses.reduce((sum, use) => sum + (use.workers - workers) ** 2, 0);
}
