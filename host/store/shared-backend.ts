import type { KeyStore } from '../auth/key-store.ts';
import type { Settings } from '../config/settings.ts';
import { describe, log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { SharedKeys } from './shared-keys.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { Store } from './store.ts';
import { StoredKeys } from './stored-keys.ts';

/** Keys and limits in the store that the settings name; keys of the file, if there is one, are found as well. */
export async function openSharedBackend(settings: Settings, metrics: Metrics, file: KeyStore | undefined) {
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
