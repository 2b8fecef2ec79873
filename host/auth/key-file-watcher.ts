import { stat } from 'node:fs/promises';
import { log } from '../observability/log.ts';
import { readKeys } from './key-file.ts';
import { toRecord } from './key-file-format.ts';
import type { KeyStore } from './key-store.ts';

/** How soon a change is seen. Asking again and again works on every file system; change events do not. */
const POLL_MS = 1_000;

/** Keeps a store as its file is. */
export class KeysSource {
  readonly #path: string;
  readonly #store: KeyStore;
  /** What told the file apart when it was last read. */
  #loaded = '';
  #complaint = '';

  constructor(path: string, store: KeyStore) {
    this.#path = path;
    this.#store = store;
  }

  /** Reads the file if it is not the one read last. Throws when it cannot be used; the store stays as it was. */
  async load(): Promise<void> {
    // Before reading: what changes meanwhile looks new the next time.
    const { ino, size, mtimeNs, ctimeNs } = await stat(this.#path, { bigint: true });
    const found = [ino, size, mtimeNs, ctimeNs].join(' ');
    if (found !== this.#loaded) {
      this.#store.replace((await readKeys(this.#path)).map(toRecord));
      this.#loaded = found;
      log('info', 'keys read', { keys: this.#store.size });
    }
    this.#store.isCurrent = true;
    this.#complaint = '';
  }

  /** Looks for changes until it is released. */
  follow(): () => void {
    let isBusy = false;
    const timer = setInterval(async () => {
      if (isBusy) return;
      isBusy = true;
      await this.load().catch((error: unknown) => this.#keepOld(error));
      isBusy = false;
    }, POLL_MS);
    timer.unref();
    return () => clearInterval(timer);
  }

  #keepOld(error: unknown): void {
    this.#store.isCurrent = false;
    const complaint = error instanceof Error ? error.message : String(error);
    if (complaint === this.#complaint) return;
    this.#complaint = complaint;
    log('error', 'keys file cannot be used; the keys read before stay', { error: complaint });
  }
}
