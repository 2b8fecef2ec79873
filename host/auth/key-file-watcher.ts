import { stat } from 'node:fs/promises';
import { log } from '../observability/log.ts';
import { readKeys } from './key-file.ts';
import { toRecord } from './key-file-format.ts';
import type { KeyStore } from './key-store.ts';

/** Polling works on every file system; change events do not. */
const POLL_MS = 1_000;

/** Updates a key store when its file changes. */
export class KeyFileWatcher {
  readonly #path: string;
  readonly #store: KeyStore;
  /** Identifies the version of the file that was read last. */
  #loadedVersion = '';
  #lastError = '';

  constructor(path: string, store: KeyStore) {
    this.#path = path;
    this.#store = store;
  }

  /** Reads the file if it has changed. Throws if it is missing or invalid; the store keeps its keys then. */
  async load(): Promise<void> {
    // Before reading, so that a change during the read is found at the next poll.
    const { ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true });
    const version = [ino, size, mtimeNs, ctimeNs].join(' ');
    if (version !== this.#loadedVersion) {
      this.#store.replace((await readKeys(this.#path)).map(toRecord));
      this.#loadedVersion = version;
      log('info', 'API keys loaded', { keys: this.#store.size });
    }
    this.#store.isUpToDate = true;
    this.#lastError = '';
  }

  /** Polls for changes until the returned function is called. */
  follow(): () => void {
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy) return;
      isBusy = true;
      await this.load().catch((error: unknown) => this.#reportError(error));
      isBusy = false;
    }, POLL_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  /** Logs each error once. */
  #reportError(error: unknown): void {
    this.#store.isUpToDate = false;
    const message = error instanceof Error ? error.message : String(error);
    if (message === this.#lastError) return;
    this.#lastError = message;
    log('error', 'cannot read the key file; keeping the keys read before', { error: message });
  }
}
