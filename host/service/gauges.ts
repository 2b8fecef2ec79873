import type { MemoryBudget } from '../limits/memory-budget.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Queue } from '../tracing/queue.ts';
import type { WorkerPool } from '../tracing/worker-pool.ts';
import type { Backend } from './backend.ts';
import type { Readiness } from './readiness.ts';

interface Measured extends Backend {
  metrics: Metrics;
  queue: Queue;
  imageMemory: MemoryBudget;
  pool: WorkerPool;
  transferMemory: MemoryBudget;
  readiness: Readiness;
}

const NEW_LARGE_JOB = { account: '', isSmall: false, chargedBytes: 0 };

/** Adds the gauges of what requests share: queue, memory, concurrency, API keys, store. Each is read at a scrape. */
export function addGauges(service: Measured): void {
  const { metrics, queue, pool, imageMemory, transferMemory, limiter, keys, readiness } = service;
  const gauges: [name: string, help: string, read: () => number][] = [
    ['tracesmith_jobs_waiting', 'Images waiting for a worker.', () => queue.waiting],
    ['tracesmith_jobs_running', 'Images being decoded or traced.', () => queue.running],
    [
      'tracesmith_queue_predicted_wait_seconds',
      'Predicted wait of a large image of a new account that arrives now.',
      () => queue.predictedWaitMs(NEW_LARGE_JOB) / 1000,
    ],
    [
      'tracesmith_image_memory_reserved_bytes',
      'Memory reserved for images being traced, besides what worker threads keep.',
      () => imageMemory.reservedBytes,
    ],
    [
      'tracesmith_image_memory_kept_bytes',
      'WebAssembly memory that worker threads keep between images.',
      () => pool.keptBytes,
    ],
    [
      'tracesmith_transfer_memory_reserved_bytes',
      'Memory reserved for uploads and unsent responses.',
      () => transferMemory.reservedBytes,
    ],
    [
      'tracesmith_requests_in_flight',
      'Requests that count against the concurrency limits of accounts.',
      () => limiter.inFlight,
    ],
    ['tracesmith_api_keys', 'API keys in memory, including revoked and expired ones.', () => keys.size],
    [
      'tracesmith_key_file_up_to_date',
      '1 if the last read of the key file succeeded, else 0.',
      () => Number(keys.isUpToDate),
    ],
    [
      'tracesmith_store_available',
      '0 while the store is out of reach or has lost its API keys, else 1.',
      () => Number(service.store?.isComplete ?? true),
    ],
    [
      'tracesmith_ready',
      '1 while the service is ready, 0 until it has reached the store and during shutdown.',
      () => Number(readiness.isReady),
    ],
    ['tracesmith_shutting_down', '1 during shutdown, else 0.', () => Number(readiness.isShuttingDown)],
  ];
  for (const [name, help, read] of gauges) metrics.addGauge(name, help, read);
}
