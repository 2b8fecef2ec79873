import { Budget, Concurrency } from './counters.ts';
import type { KeyStore } from './keys.ts';
import { Pool } from './pool.ts';
import { Queue } from './queue.ts';
import { Rates } from './rates.ts';
import type { Settings } from './settings.ts';

/** What all requests share. */
export interface Service {
  settings: Settings;
  keys: KeyStore;
  rates: Rates;
  concurrency: Concurrency;
  /** Memory for bodies on their way in. */
  uploads: Budget;
  /** Memory for pictures in work. */
  memory: Budget;
  queue: Queue;
  pool: Pool;
  /** Set when the process is about to end: no new work is taken. */
  isDraining: boolean;
}

/** Starts the threads and waits until each of them is ready to trace. */
export async function startService(settings: Settings, keys: KeyStore): Promise<Service> {
  const pool = new Pool(settings.workers);
  await pool.warm();
  const memory = new Budget(settings.memoryBytes);
  return {
    settings,
    keys,
    rates: new Rates(),
    concurrency: new Concurrency(),
    uploads: new Budget(settings.uploadBytes),
    memory,
    queue: new Queue(settings.workers, memory, settings.maxWaitMs),
    pool,
    isDraining: false,
  };
}
