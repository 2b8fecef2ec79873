import { readFile } from 'node:fs/promises';
import { HOST_FOLDER } from '#host-folder';
import type { Settings } from '../config/settings.ts';
import { measure } from '../image/inspect.ts';
import { MemoryBudget } from '../limits/memory-budget.ts';
import { OpenUploads } from '../limits/open-uploads.ts';
import { describe, log } from '../observability/log.ts';
import { Metrics } from '../observability/metrics.ts';
import { RequestObserver } from '../observability/request-observer.ts';
import { DurationPredictor } from '../tracing/duration-predictor.ts';
import { planMemory } from '../tracing/memory-plan.ts';
import { Queue } from '../tracing/queue.ts';
import { WorkerPool } from '../tracing/worker-pool.ts';
import type { Backend } from './backend.ts';
import { addGauges } from './gauges.ts';
import { Readiness } from './readiness.ts';

/** Threads that trace small images only, so that these never wait for large ones. */
const SMALL_WORKERS = 1;

/** What all requests share. */
export interface Service extends Backend {
  settings: Settings;
  /** Memory for uploads and unsent responses. */
  transferMemory: MemoryBudget;
  uploads: OpenUploads;
  /** Memory for images being traced, besides what the worker threads keep. */
  imageMemory: MemoryBudget;
  queue: Queue;
  pool: WorkerPool;
  predictor: DurationPredictor;
  cpuPredictor: DurationPredictor;
  readiness: Readiness;
  metrics: Metrics;
  observer: RequestObserver;
}

/** The playground's sample: flat art, like most images. */
const WARM_UP_IMAGE = new URL('playground/sample.png', HOST_FOLDER);

/** Starts the worker threads and waits until all are warmed up. */
export async function startService(
  settings: Settings,
  backend: Backend,
  metrics = new Metrics(),
): Promise<Service> {
  const { workers, maxWaitMs, maxTraceCpuMs: maxCpuMs } = settings;
  const threads = workers + SMALL_WORKERS;
  const { keptBytes, sharedBytes } = planMemory(settings.memoryBytes, threads);
  const pool = new WorkerPool({
    threads,
    engine: 'wasm',
    keptBytes,
    onWorkerExit: (reason) => metrics.workerRestarted(reason),
    onIdleError: (error) => log('error', 'idle worker failed', { error: describe(error) }),
  });
  const image = await readFile(WARM_UP_IMAGE);
  await pool.warmUp(image, await measure(image, 'png', settings));
  const imageMemory = new MemoryBudget(sharedBytes);
  const queue = new Queue({
    ...{ workers, smallWorkers: SMALL_WORKERS, memory: imageMemory },
    ...{ keptBytes, maxWaitMs, maxCpuMs },
  });
  const service: Service = {
    ...backend,
    settings,
    uploads: new OpenUploads(),
    transferMemory: new MemoryBudget(settings.transferBytes),
    imageMemory,
    queue,
    pool,
    predictor: new DurationPredictor(),
    cpuPredictor: new DurationPredictor(),
    readiness: new Readiness(backend.store),
    metrics,
    observer: new RequestObserver(metrics, settings),
  };
  addGauges(service);
  return service;
}
