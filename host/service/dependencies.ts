import { readFile } from 'node:fs/promises';
import type { KeyStore } from '../auth/key-store.ts';
import type { Settings } from '../config/settings.ts';
import { Concurrency } from '../limits/concurrency-limiter.ts';
import { Budget } from '../limits/memory-budget.ts';
import { Rates } from '../limits/rate-limiter.ts';
import { describe, log } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { Queue } from '../tracing/queue.ts';
import { Pool } from '../tracing/worker-pool.ts';
import { Door } from './readiness.ts';

/** On a busy machine, a new thread can take a second to start. */
const SPARE_THREADS = 1;

/** What all requests share. */
export interface Service {
  settings: Settings;
  keys: KeyStore;
  rates: Rates;
  concurrency: Concurrency;
  /** Memory for bodies on their way in and out. */
  transfers: Budget;
  /** Memory for pictures in work. */
  memory: Budget;
  queue: Queue;
  pool: Pool;
  door: Door;
  metrics: Metrics;
}

/** The playground's: flat art, as most pictures are. */
const WARMING_PICTURE = new URL('../playground/sample.png', import.meta.url);

/** Starts the threads and waits until each of them is ready to trace. */
export async function startService(settings: Settings, keys: KeyStore): Promise<Service> {
  const metrics = new Metrics();
  const pool = new Pool({
    size: settings.workers,
    spare: SPARE_THREADS,
    engine: 'wasm',
    onEnd: () => metrics.endedWorker(),
    onIdleError: (error) => log('error', 'idle worker failed', { error: describe(error) }),
  });
  await pool.warm(await readFile(WARMING_PICTURE));
  const memory = new Budget(settings.memoryBytes);
  const service: Service = {
    settings,
    keys,
    rates: new Rates(),
    concurrency: new Concurrency(),
    transfers: new Budget(settings.transferBytes),
    memory,
    queue: new Queue(settings.workers, memory, settings.maxWaitMs),
    pool,
    door: new Door(),
    metrics,
  };
  measure(service);
  return service;
}

/** What is read whenever somebody looks at the metrics. */
function measure({ metrics, queue, memory, transfers, concurrency, keys, door }: Service): void {
  const gauges: [name: string, help: string, read: () => number][] = [
    ['queue_waiting', 'Pictures that wait for a worker.', () => queue.waiting],
    ['queue_running', 'Pictures that are decoded or traced.', () => queue.running],
    [
      'queue_predicted_wait_seconds',
      'Wait of a picture that came now.',
      () => queue.predictedWaitMs() / 1000,
    ],
    ['picture_memory_reserved_bytes', 'Memory set aside for pictures being traced.', () => memory.used],
    ['transfer_memory_reserved_bytes', 'Memory set aside for uploads and answers.', () => transfers.used],
    [
      'account_places_taken',
      'Requests that count against an account’s number at once.',
      () => concurrency.total,
    ],
    ['keys', 'Keys read from the file, revoked and expired ones too.', () => keys.size],
    ['keys_current', '1; 0 while the keys file cannot be used.', () => Number(keys.isCurrent)],
    ['ready', '1; 0 when the service is about to end.', () => Number(door.isReady)],
  ];
  for (const [name, help, read] of gauges) metrics.gauge(`tracesmith_${name}`, help, read);
}
