import { generateKey } from '../auth/api-key.ts';
import { KeyFileWatcher } from '../auth/key-file-watcher.ts';
import { type KeyFinder, KeyStore } from '../auth/key-store.ts';
import type { Settings } from '../config/settings.ts';
import type { RequestLimiter } from '../limits/admission.ts';
import { LocalLimiter } from '../limits/local-limiter.ts';
import { describe, log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { SharedKeys } from '../store/shared-keys.ts';
import { SharedLimiter } from '../store/shared-limiter.ts';
import { Store } from '../store/store.ts';
import { StoredKeys } from '../store/stored-keys.ts';
import { developmentRecord } from './development.ts';

/** Where keys are found and requests are counted: in this process, or in a store that several share. */
export interface Backend {
  keys: KeyFinder;
  limiter: RequestLimiter;
  /** Absent if the process keeps everything itself. */
  store?: SharedBackend;
}

interface SharedBackend {
  /** False while the store is out of reach, or has lost its keys. */
  readonly isComplete: boolean;
  close(): Promise<void>;
}

/** Opens what the settings name. Rejects if the key file is invalid or the store does not answer. */
export async function openBackend(settings: Settings, metrics: Metrics): Promise<Backend> {
  const file = settings.keysFile === '' ? undefined : await followKeyFile(settings.keysFile);
  if (settings.store === '') return { keys: file ?? new KeyStore(), limiter: new LocalLimiter() };
  const store = await connect(settings, metrics);
  const limiter = await SharedLimiter.create(store, {
    processes: settings.storeProcesses,
    onLocalDecision: () => metrics.decidedLocally(),
  });
  const keys = new SharedKeys(new StoredKeys(store), file);
  return {
    keys,
    limiter,
    store: {
      get isComplete() {
        return store.isAvailable && keys.isComplete;
      },
      close: () => store.close(),
    },
  };
}

/** The backend of a development service, and its only key. */
export function developmentBackend(): { backend: Backend; key: string } {
  const key = generateKey();
  return { key, backend: { keys: new KeyStore([developmentRecord(key)]), limiter: new LocalLimiter() } };
}

async function followKeyFile(path: string): Promise<KeyStore> {
  const keys = new KeyStore();
  const watcher = new KeyFileWatcher(path, keys);
  await watcher.load();
  watcher.follow();
  return keys;
}

async function connect({ store: url, storeTimeoutMs }: Settings, metrics: Metrics): Promise<Store> {
  let lostMs = 0;
  return Store.connect({
    url,
    timeoutMs: storeTimeoutMs,
    onOperation: (durationMs, isOk) => metrics.storeOperation(durationMs, isOk),
    onLost: (error) => {
      lostMs = performance.now();
      metrics.storeLost();
      log('error', 'the store is out of reach; limits are counted in this process', {
        error: describe(error),
      });
    },
    onRecovered: () => {
      const outageMs = Math.round(performance.now() - lostMs);
      log('info', 'the store is back; limits are counted in it', { outageMs });
    },
  });
}
