import { once, type Release } from './release.ts';

/** An upload is ended in favor of another client only if it has taken this long: few take longer. */
const MIN_MS = 2_000;

interface Upload {
  sinceMs: number;
  reject(): void;
}

/** The bodies that are being read, of each account. */
export class OpenUploads {
  /** By account; the first one first. */
  readonly #uploads = new Map<string, Set<Upload>>();
  readonly #now: () => number;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts an upload until its release. `reject` ends it with an error. */
  enter(account: string, reject: () => void): Release {
    const uploads = this.#uploads.get(account) ?? new Set();
    this.#uploads.set(account, uploads);
    const upload = { sinceMs: this.#now(), reject };
    uploads.add(upload);
    return once(() => {
      uploads.delete(upload);
      if (uploads.size === 0 && this.#uploads.get(account) === uploads) this.#uploads.delete(account);
    });
  }

  /**
   * Ends the first upload of the account that has the most, as another client needs its place. Returns whether there is one: an
   * account with a single upload keeps it.
   */
  rejectOne(): boolean {
    let most = new Set<Upload>();
    for (const uploads of this.#uploads.values()) if (uploads.size > Math.max(1, most.size)) most = uploads;
    const [first] = most;
    if (first === undefined || this.#now() - first.sinceMs < MIN_MS) return false;
    // Its release follows later.
    most.delete(first);
    first.reject();
    return true;
  }
}
