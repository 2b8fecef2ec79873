import { hashKey } from '../auth/api-key.ts';
import { toRecord } from '../auth/key-file-format.ts';
import { isOver, type KeyFinder, type KeyLookup, type KeyRecord, type KeyStore } from '../auth/key-store.ts';
import { describe, log } from '../observability/log.ts';
import { StoreUnavailable } from './breaker.ts';
import { KeysLost, type StoredKeys } from './stored-keys.ts';

/** A change of a key holds everywhere after this time, even if its announcement is lost. */
export const KEY_LIFETIME_MS = 5_000;
/** A key in use is read again from this age on, in the background, so that its requests do not wait for that. */
const REFRESH_MS = KEY_LIFETIME_MS / 2;
/** Keys that can be used while the store is out of reach. About 500 bytes each. */
const MAX_KEYS = 20_000;
/** Unknown keys, which clients can make up. */
const MAX_UNKNOWN_KEYS = 1_000;

/** What the store said about a key. */
interface Entry {
  record: KeyRecord | undefined;
  /** When it was asked. */
  readAtMs: number;
}

/**
 * Finds keys in a store, and before that in a key file if there is one, so that keys can be moved between the two. Keys read
 * from the store are kept for a few seconds, and for longer while it is out of reach.
 */
export class SharedKeys implements KeyFinder {
  readonly #stored: StoredKeys;
  readonly #file: KeyStore | undefined;
  readonly #now: () => number;
  readonly #known = new Cache(MAX_KEYS);
  readonly #unknown = new Cache(MAX_UNKNOWN_KEYS);
  /** The reads in progress. All requests with one key wait for the same one. */
  readonly #reads = new Map<string, Promise<Entry>>();
  /** Announced changes, of all keys. */
  #changes = 0;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(stored: StoredKeys, file?: KeyStore, now: () => number = () => performance.now()) {
    this.#stored = stored;
    this.#file = file;
    this.#now = now;
    stored.onChange((hash) => this.#drop(hash));
  }

  get size(): number {
    return this.#known.size + (this.#file?.size ?? 0);
  }

  /** False while the store has lost its keys; those read before are still used. */
  get isComplete(): boolean {
    return !this.#stored.areLost;
  }

  get isUpToDate(): boolean {
    return this.#file?.isUpToDate ?? true;
  }

  async find(key: string): Promise<KeyLookup> {
    const hash = hashKey(key);
    const record = this.#file?.recordOf(hash) ?? (await this.#storedRecord(hash.toString('hex')));
    if (record === 'unavailable') return record;
    if (record === undefined) return this.isUpToDate ? 'invalid' : 'unavailable';
    return isOver(record, Date.now()) ? 'invalid' : record;
  }

  async #storedRecord(hash: string): Promise<KeyRecord | undefined | 'unavailable'> {
    const entry = this.#known.get(hash) ?? this.#unknown.get(hash);
    const ageMs = this.#now() - (entry?.readAtMs ?? Number.NEGATIVE_INFINITY);
    if (entry !== undefined && ageMs < KEY_LIFETIME_MS) {
      if (ageMs > REFRESH_MS) this.#read(hash).catch(() => {});
      return entry.record;
    }
    try {
      return (await this.#read(hash)).record;
    } catch {
      // A key that was unknown may have been issued since.
      return entry?.record ?? 'unavailable';
    }
  }

  #read(hash: string): Promise<Entry> {
    const running = this.#reads.get(hash);
    if (running !== undefined) return running;
    const read = this.#readNow(hash).finally(() => {
      if (this.#reads.get(hash) === read) this.#reads.delete(hash);
    });
    this.#reads.set(hash, read);
    return read;
  }

  async #readNow(hash: string): Promise<Entry> {
    const entry: Entry = { record: undefined, readAtMs: this.#now() };
    const changes = this.#changes;
    try {
      const row = await this.#stored.find(hash);
      if (row !== undefined) entry.record = toRecord(row);
    } catch (error) {
      if (!(error instanceof StoreUnavailable || error instanceof KeysLost))
        log('error', 'a key in the store is invalid', { error: describe(error) });
      throw error;
    }
    // A change that was announced meanwhile may be newer than the answer.
    if (changes === this.#changes) this.#keep(hash, entry);
    return entry;
  }

  #keep(hash: string, entry: Entry): void {
    const [right, other] =
      entry.record === undefined ? [this.#unknown, this.#known] : [this.#known, this.#unknown];
    other.delete(hash);
    right.set(hash, entry);
  }

  /** A key that may be revoked is not used again before it has been read, even if the store is out of reach by then. */
  #drop(hash: string): void {
    this.#changes++;
    this.#reads.delete(hash);
    const wasKnown = this.#known.delete(hash);
    this.#unknown.delete(hash);
    if (wasKnown) this.#read(hash).catch(() => {});
  }
}

/** A map that forgets what was set the longest time ago. */
class Cache extends Map<string, Entry> {
  readonly #maxSize: number;

  constructor(maxSize: number) {
    super();
    this.#maxSize = maxSize;
  }

  override set(hash: string, entry: Entry): this {
    this.delete(hash);
    super.set(hash, entry);
    for (const oldest of this.keys()) {
      if (this.size <= this.#maxSize) break;
      this.delete(oldest);
    }
    return this;
  }
}
