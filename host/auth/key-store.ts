import { timingSafeEqual } from 'node:crypto';
import { hashKey } from './api-key.ts';

export const TIERS = ['free', 'pro', 'enterprise'] as const;
export type Tier = (typeof TIERS)[number];

/** What is kept of one key. */
export interface KeyRecord {
  /** SHA-256 of the key. */
  hash: Buffer;
  account: string;
  tier: Tier;
  /** Requests a minute instead of the tier's own number. */
  limit?: number;
  /** Milliseconds since 1970. */
  expiresAt?: number;
  revoked?: boolean;
}

/** A key that works has a record; an unknown one may still work when the source cannot be asked. */
export type Verdict = KeyRecord | 'refused' | 'unavailable';

/** Keys by their hash: a copy, in memory, of where they come from. */
export class KeyStore {
  /** Cleared while the source cannot be read: the copy may lack the newest keys then. */
  isCurrent = true;
  #byHash = new Map<string, KeyRecord>();

  constructor(records: Iterable<KeyRecord> = []) {
    this.replace(records);
  }

  get size(): number {
    return this.#byHash.size;
  }

  /** Takes a new copy, all at once. */
  replace(records: Iterable<KeyRecord>): void {
    const entries = Array.from(records, (record) => [record.hash.toString('hex'), record] as const);
    this.#byHash = new Map(entries);
    this.isCurrent = true;
  }

  /** Whether a key works now. Unknown, revoked and expired are told apart by nobody outside. */
  judge(key: string, nowMs = Date.now()): Verdict {
    const hash = hashKey(key);
    const record = this.#byHash.get(hash.toString('hex'));
    if (record === undefined || !timingSafeEqual(record.hash, hash)) {
      return this.isCurrent ? 'refused' : 'unavailable';
    }
    const isOver = record.revoked === true || (record.expiresAt ?? Number.POSITIVE_INFINITY) <= nowMs;
    return isOver ? 'refused' : record;
  }
}
