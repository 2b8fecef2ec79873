// What the shared store costs a request, and how many requests one store carries.
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { Redis } from 'ioredis';
import { SharedLimiter } from '../../host/store/shared-limiter.ts';
import { Store } from '../../host/store/store.ts';
import { median } from '../bench/core/statistics.ts';
import { load } from '../bench/requests/load.ts';
import { pngOf } from '../bench/requests/png.ts';
import { root } from '../lib/command.ts';
import { keysProgram } from '../processes/programs.ts';
import { ServiceProcess } from '../processes/service.ts';
import { Valkey } from '../processes/valkey.ts';
import { noResponses } from './images.ts';

const SIDE = 64;
const ROUNDS = 5;
const LOAD = { connections: 1, ms: 2_000, requests: 500 };
/** A limit that is counted but not reached. */
const HIGH_LIMIT = 1_000_000;

const CONNECTIONS = 20;
const ACCOUNTS = 200;
const CAPACITY_MS = 3_000;
const TIMEOUT_MS = 5_000;

export interface StoreCost {
  /** Commands that the store carries out for a request. */
  commands: number;
  /** By which the store prolongs a request, at the median. */
  addedMs: number;
}

export interface StoreCapacity {
  /** Processor time of the store for one request: admission and release. */
  cpuUs: number;
  /** Requests per second of this run, which shares its processors with the clients. */
  perSecond: number;
  /** Memory for one request that counts, which is kept for a minute. */
  bytesPerRequest: number;
}

/** Compares a service with a store and one without. */
export async function measureStoreCost(): Promise<StoreCost> {
  const valkey = await Valkey.start();
  const common = { TRACESMITH_WORKERS: '1', TRACESMITH_LOG_LEVEL: 'warn' };
  const shared = await ServiceProcess.start({
    ...common,
    ...{ TRACESMITH_STORE: valkey.url, TRACESMITH_KEYS_FILE: '' },
  });
  const alone = await ServiceProcess.start(common);
  const observer = new Redis(valkey.url);
  try {
    const pngFile = await pngOf('logo', SIDE);
    const both = [
      { service: shared, key: await issueKey(valkey.url), latencies: [] as number[] },
      { service: alone, key: alone.keys.custom, latencies: [] as number[] },
    ];
    let [commands, answered] = [0, 0];
    for (let round = 0; round <= ROUNDS; round++) {
      for (const one of both) {
        const found = noResponses();
        const before = await commandsOf(observer);
        await load({ ...LOAD, url: one.service.url, key: one.key, pngFile }, found);
        if (found.refused > 0) throw new Error(`${found.refused} requests failed`);
        // The first round warms up.
        if (round === 0) continue;
        one.latencies.push(median(found.latenciesMs));
        if (one.service === alone) continue;
        commands += (await commandsOf(observer)) - before;
        answered += found.latenciesMs.length;
      }
    }
    const [withStore = [], without = []] = both.map(({ latencies }) => latencies);
    const differences = withStore.map((ms, round) => ms - (without[round] ?? Number.NaN));
    return { commands: commands / answered, addedMs: median(differences) };
  } finally {
    observer.disconnect();
    await Promise.all([shared.stop(), alone.stop()]);
    await valkey.stop();
  }
}

async function issueKey(store: string): Promise<string> {
  const args = ['issue', '--tier', 'pro', '--limit', String(HIGH_LIMIT)];
  const env = { ...process.env, TRACESMITH_STORE: store };
  const { stdout } = await promisify(execFile)(process.execPath, [...keysProgram, ...args], {
    cwd: root,
    env,
  });
  return stdout.trim();
}

/** Commands that clients sent, without those of this program. */
async function commandsOf(observer: Redis): Promise<number> {
  const text = await observer.info('commandstats');
  const rows = text.matchAll(/^cmdstat_(evalsha|eval|hget|hmget|subscribe):calls=(\d+)/gm);
  return Array.from(rows, ([, , calls]) => Number(calls)).reduce((sum, calls) => sum + calls, 0);
}

/** Sends as many requests through the limiter of the service as the store carries. */
export async function measureStoreCapacity(): Promise<StoreCapacity> {
  const valkey = await Valkey.start();
  const observer = new Redis(valkey.url);
  const stores: Store[] = [];
  try {
    const limiters: SharedLimiter[] = [];
    for (let count = 0; count < CONNECTIONS; count++) {
      const store = await Store.connect({ url: valkey.url, timeoutMs: TIMEOUT_MS });
      stores.push(store);
      limiters.push(await SharedLimiter.create(store, { processes: CONNECTIONS }));
    }
    const [cpuBefore, bytesBefore] = [await cpuSeconds(observer), await usedBytes(observer)];
    const startMs = performance.now();
    let answered = 0;
    const caller = async (limiter: SharedLimiter, index: number) => {
      for (let turn = index; performance.now() - startMs < CAPACITY_MS; turn += CONNECTIONS) {
        const account = {
          ...{ id: `account ${turn % ACCOUNTS}`, tier: 'pro' as const },
          ...{ requestsPerMinute: HIGH_LIMIT, maxConcurrent: HIGH_LIMIT },
        };
        const { release } = await limiter.admit(account);
        release();
        answered++;
      }
    };
    await Promise.all(limiters.map(caller));
    const seconds = (performance.now() - startMs) / 1_000;
    const bytes = (await usedBytes(observer)) - bytesBefore;
    const cpu = (await cpuSeconds(observer)) - cpuBefore;
    return {
      cpuUs: (cpu * 1e6) / answered,
      perSecond: answered / seconds,
      bytesPerRequest: bytes / answered,
    };
  } finally {
    observer.disconnect();
    await Promise.all(stores.map((store) => store.close()));
    await valkey.stop();
  }
}

async function cpuSeconds(observer: Redis): Promise<number> {
  const text = await observer.info('cpu');
  const rows = text.matchAll(/^used_cpu_(?:sys|user):([\d.]+)/gm);
  return Array.from(rows, ([, seconds]) => Number(seconds)).reduce((sum, seconds) => sum + seconds, 0);
}

async function usedBytes(observer: Redis): Promise<number> {
  return Number(/^used_memory:(\d+)/m.exec(await observer.info('memory'))?.[1]);
}
