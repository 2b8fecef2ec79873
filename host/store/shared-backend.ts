import type { KeyStore } from '../auth/key-store.ts';
import type { Settings } from '../config/settings.ts';
import { describe, log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { SharedKeys } from './shared-keys.ts';
import { SharedLimiter } from './shared-limiter.ts';
import { Store } from './store.ts';
import { StoredKeys } from './stored-keys.ts';

/** How long the start waits for a store that is there: usually milliseconds. */
const START_WAIT_MS = 1_000;

/**
 * Keys and limits in the store that the settings name; keys of the file, if there is one, are found as well. If the store
 * does not answer, it is used as soon as it does. Rejects if its credentials are wrong.
 */
export async function openSharedBackend(settings: Settings, metrics: Metrics, file: KeyStore | undefined) {
  const store = openStore(settings, metrics);
  if (!(await store.untilReached(START_WAIT_MS)))
    log('error', 'the store is out of reach; not ready until it answers', {
      error: describe(store.lastError),
    });
  const limiter = await SharedLimiter.create(store, {
    processes: settings.storeProcesses,
    onLocalDecision: () => metrics.decidedLocally(),
  });
  const keys = new SharedKeys(new StoredKeys(store), file);
  return {
    keys,
    limiter,
    store: {
      get hasBeenReached() {
        return store.hasBeenReached;
      },
      get isComplete() {
        return store.isAvailable && keys.isComplete;
      },
      close: async () => {
        limiter.close();
        await store.close();
      },
    },
  };
}

function openStore({ store: url, storeTimeoutMs }: Settings, metrics: Metrics): Store {
  let lostMs = 0;
  return new Store({
    url,
    timeoutMs: storeTimeoutMs,
    onOperation: (durationMs, isOk) => metrics.storeOperation(durationMs, isOk),
    onReached: () => log('info', 'the store answers; limits are counted in it'),
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
