import { within } from '../errors/within.ts';
import { type FileVersion, readIfChanged } from '../files/read-regular-file.ts';
import { log } from '../observability/log.ts';
import { parseKeys, toRecord } from './key-file-format.ts';
import type { KeyStore } from './key-store.ts';

/** Polling works on every file system; change events do not. */
const POLL_MS = 1_000;
/** A read that takes longer counts as failed. It takes milliseconds, unless the file system hangs. */
const READ_TIMEOUT_MS = 5_000;

/** Updates a key store when its file changes. */
export class KeyFileWatcher {
  readonly #path: string;
  readonly #store: KeyStore;
  readonly #readTimeoutMs: number;
  /** The read in progress. No other starts beside it: on a hanging file system, each would block one more thread. */
  #read: Promise<FileVersion | undefined> | undefined;
  /** Identifies the version of the file that was read last. */
  #loadedVersion = '';
  #lastError = '';

  constructor(path: string, store: KeyStore, readTimeoutMs = READ_TIMEOUT_MS) {
    this.#path = path;
    this.#store = store;
    this.#readTimeoutMs = readTimeoutMs;
  }

  /** Reads the file if it has changed. Throws if it cannot be read in time or is invalid; the store keeps its keys then. */
  async load(): Promise<void> {
    this.#read ??= readIfChanged(this.#path, this.#loadedVersion).finally(() => {
      this.#read = undefined;
    });
    const content = await within(this.#readTimeoutMs, this.#read, () => this.#readTimeout());
    if (content !== undefined) {
      this.#store.replace(parseKeys(content.text, this.#path).map(toRecord));
      this.#loadedVersion = content.version;
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

  #readTimeout(): Error {
    return new Error(`${this.#path} could not be read within ${this.#readTimeoutMs} ms`);
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
