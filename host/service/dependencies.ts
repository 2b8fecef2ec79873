import { readFile } from 'node:fs/promises';
import type { KeyStore } from '../auth/key-store.ts';
import type { Settings } from '../config/settings.ts';
import { ConcurrencyLimiter } from '../limits/concurrency-limiter.ts';
import { MemoryBudget } from '../limits/memory-budget.ts';
import { RateLimiter } from '../limits/rate-limiter.ts';
import { describe, log } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { RequestObserver } from '../observability/request-observer.ts';
import { Queue } from '../tracing/queue.ts';
import { WorkerPool } from '../tracing/worker-pool.ts';
import { addGauges } from './gauges.ts';
import { Readiness } from './readiness.ts';

/** On a busy machine, a new thread can take a second to start. */
const SPARE_THREADS = 1;

/** What all requests share. */
export interface Service {
  settings: Settings;
  keys: KeyStore;
  rateLimiter: RateLimiter;
  concurrencyLimiter: ConcurrencyLimiter;
  /** Memory for uploads and unsent responses. */
  transferMemory: MemoryBudget;
  /** Memory for images being traced. */
  imageMemory: MemoryBudget;
  queue: Queue;
  pool: WorkerPool;
  readiness: Readiness;
  metrics: Metrics;
  observer: RequestObserver;
}

/** The playground's sample: flat art, like most images. */
const WARM_UP_IMAGE = new URL('../playground/sample.png', import.meta.url);

/** Starts the worker threads and waits until all are warmed up. */
export async function startService(settings: Settings, keys: KeyStore): Promise<Service> {
  const metrics = new Metrics();
  const pool = new WorkerPool({
    size: settings.workers,
    spare: SPARE_THREADS,
    engine: 'wasm',
    onWorkerExit: (reason) => metrics.workerRestarted(reason),
    onIdleError: (error) => log('error', 'idle worker failed', { error: describe(error) }),
  });
  await pool.warmUp(await readFile(WARM_UP_IMAGE));
  const imageMemory = new MemoryBudget(settings.memoryBytes);
  const service: Service = {
    settings,
    keys,
    rateLimiter: new RateLimiter(),
    concurrencyLimiter: new ConcurrencyLimiter(),
    transferMemory: new MemoryBudget(settings.transferBytes),
    imageMemory,
    queue: new Queue(settings.workers, imageMemory, settings.maxWaitMs),
    pool,
    readiness: new Readiness(),
    metrics,
    observer: new RequestObserver(metrics, settings),
  };
  addGauges(service);
  return service;
}
