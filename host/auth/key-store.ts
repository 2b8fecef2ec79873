import { timingSafeEqual } from 'node:crypto';
import { hashKey } from './api-key.ts';

export const TIERS = ['free', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** What the service knows about one key. */
export interface KeyRecord {
  /** SHA-256 of the key. */
  hash: Buffer;
  account: string;
  tier: Tier;
  /** Requests per minute; overrides the tier's limit. */
  limit?: number;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  revoked?: boolean;
}

/** The record of a valid key. `unavailable`: the key is unknown, but the store may lack the newest keys. */
export type KeyLookup = KeyRecord | 'invalid' | 'unavailable';

/** The keys in memory, by hash. */
export class KeyStore {
  /** False while the key file cannot be read: the store may lack the newest keys then. */
  isUpToDate = true;
  #byHash = new Map<string, KeyRecord>();

  constructor(records: Iterable<KeyRecord> = []) {
    this.replace(records);
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Replaces all keys at once. */
  replace(records: Iterable<KeyRecord>): void {
    const entries = Array.from(records, (record) => [record.hash.toString('hex'), record] as const);
    this.#byHash = new Map(entries);
    this.isUpToDate = true;
  }

  /** Looks up a key. Unknown, revoked and expired keys all give `invalid`, so that a client cannot tell them apart. */
  find(key: string, nowMs = Date.now()): KeyLookup {
    const hash = hashKey(key);
    const record = this.#byHash.get(hash.toString('hex'));
    if (record === undefined || !timingSafeEqual(record.hash, hash)) {
      return this.isUpToDate ? 'invalid' : 'unavailable';
    }
    const isOver = record.revoked === true || (record.expiresAt ?? Number.POSITIVE_INFINITY) <= nowMs;
    return isOver ? 'invalid' : record;
  }
}
