import { readFileSync, renameSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { generateKey } from '../../host/auth/api-key.ts';
import { KeptConnection } from '../attacks/support/client.ts';
import { form, hashOf, picture, type Service, type ServiceResponse } from '../http/service.ts';

const logo = picture('logo.png');

export const codeOf = ({ status, json }: ServiceResponse) => `${status} ${json.code ?? ''}`.trim();

/** Adds Enterprise accounts to the key file of a running service and resolves to their keys. */
export async function addAccounts(service: Service, count: number): Promise<string[]> {
  const { keys: rows } = JSON.parse(readFileSync(service.keysFile, 'utf8'));
  const keys = Array.from({ length: count }, generateKey);
  const added = keys.map((key, i) => ({
    ...{ hash: hashOf(key) },
    ...{ account: `added-${i}`, tier: 'enterprise' },
  }));
  writeFileSync(`${service.keysFile}.new`, JSON.stringify({ keys: [...rows, ...added] }));
  renameSync(`${service.keysFile}.new`, service.keysFile);
  await service.untilMetric('tracesmith_api_keys', rows.length + count);
  return keys;
}

const CALLERS = 6;
const CAPACITY_MS = 4_000;

/** How many of these requests the service answers in a second, while no more are sent than it can do. */
export async function capacityOf(port: number, request: Buffer): Promise<number> {
  const startMs = performance.now();
  let done = 0;
  const call = async () => {
    const connection = new KeptConnection(port);
    while (performance.now() - startMs < CAPACITY_MS)
      if ((await connection.send(request)).answers[0]?.status === 200) done++;
    connection.close();
  };
  await Promise.all(Array.from({ length: CALLERS }, call));
  return (done / (performance.now() - startMs)) * 1000;
}

/** The durations of small requests, one after the other, at least `pauseMs` apart. Fails if one gets no SVG. */
export async function smallRequests(service: Service, key: string, count: number, pauseMs: number) {
  const durations: number[] = [];
  let slowest = '';
  for (let i = 0; i < count; i++) {
    const startMs = performance.now();
    const response = await service.post(form(logo), { key });
    const ms = performance.now() - startMs;
    if (ms > Math.max(0, ...durations))
      slowest = `${Math.round(ms)} ms: ${response.headers['server-timing']}`;
    durations.push(ms);
    if (response.status !== 200) throw new Error(`a small request got ${codeOf(response)}`);
    await sleep(pauseMs);
  }
  return { sorted: durations.sort((a, b) => a - b), slowest };
}

export function percentile(sorted: readonly number[], share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/**
 * A second, or what it is on a machine that other programs keep busy: 25 times what a small request takes there without
 * load from this test.
 */
export function secondFor(calm: readonly number[]): number {
  return Math.max(1_000, 25 * percentile(calm, 0.5));
}

/** The largest resident memory of the service, sampled until `done` settles. */
export async function peakResidentBytes(service: Service, done: Promise<unknown>): Promise<number> {
  let [peak, isDone] = [0, false];
  const finished = done.finally(() => {
    isDone = true;
  });
  while (!isDone) {
    peak = Math.max(peak, service.residentBytes);
    await sleep(10);
  }
  await finished;
  return peak;
}
