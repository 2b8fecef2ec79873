import { generateKey } from '../auth/api-key.ts';
import { missingKeyFile } from '../auth/key-file.ts';
import { KeyFileWatcher } from '../auth/key-file-watcher.ts';
import { type KeyFinder, KeyStore } from '../auth/key-store.ts';
import type { Settings } from '../config/settings.ts';
import { orMissing } from '../files/atomic-write.ts';
import type { RequestLimiter } from '../limits/admission.ts';
import { LocalLimiter } from '../limits/local-limiter.ts';
import type { Metrics } from '../observability/metrics.ts';
import { developmentRecord } from './development.ts';

/** Where keys are found and requests are counted: in this process, or in a store that several share. */
export interface Backend {
  keys: KeyFinder;
  limiter: RequestLimiter;
  /** Absent if the process keeps everything itself. */
  store?: SharedBackend;
}

interface SharedBackend {
  /** False until the store has answered for the first time. */
  readonly hasBeenReached: boolean;
  /** False while the store is out of reach, or has lost its keys. */
  readonly isComplete: boolean;
  close(): Promise<void>;
}

/** Opens what the settings name. Rejects if the key file is invalid, or the credentials for the store are. */
export async function openBackend(settings: Settings, metrics: Metrics): Promise<Backend> {
  const file = settings.keysFile === '' ? undefined : await followKeyFile(settings.keysFile);
  if (settings.store === '') return { keys: file ?? new KeyStore(), limiter: new LocalLimiter() };
  // The client of the store is loaded only by those who have one.
  const { openSharedBackend } = await import('../store/shared-backend.ts');
  return openSharedBackend(settings, metrics, file);
}

/** The backend of a development service, and its only key. */
export function developmentBackend(): { backend: Backend; key: string } {
  const key = generateKey();
  return { key, backend: { keys: new KeyStore([developmentRecord(key)]), limiter: new LocalLimiter() } };
}

async function followKeyFile(path: string): Promise<KeyStore> {
  const keys = new KeyStore();
  const watcher = new KeyFileWatcher(path, keys);
  const isThere = await orMissing(watcher.load().then(() => true));
  if (!isThere) throw missingKeyFile(path);
  watcher.follow();
  return keys;
}
