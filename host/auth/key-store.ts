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

/** Finds the keys of requests. */
export interface KeyFinder {
  /** Looks up a key. Unknown, revoked and expired keys all give `invalid`, so that a client cannot tell them apart. */
  find(key: string): KeyLookup | Promise<KeyLookup>;
  /** Keys in memory. */
  readonly size: number;
  /** False while the key file, if there is one, cannot be read. */
  readonly isUpToDate: boolean;
}

/** Whether a key is valid no more. */
export function isOver({ revoked, expiresAt }: KeyRecord, nowMs: number): boolean {
  return revoked === true || (expiresAt ?? Number.POSITIVE_INFINITY) <= nowMs;
}

/** The keys in memory, by hash. */
export class KeyStore implements KeyFinder {
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

  find(key: string, nowMs = Date.now()): KeyLookup {
    const record = this.recordOf(hashKey(key));
    if (record === undefined) return this.isUpToDate ? 'invalid' : 'unavailable';
    return isOver(record, nowMs) ? 'invalid' : record;
  }

  /** What is known about the key with a hash, valid or not. */
  recordOf(hash: Buffer): KeyRecord | undefined {
    const record = this.#byHash.get(hash.toString('hex'));
    return record !== undefined && timingSafeEqual(record.hash, hash) ? record : undefined;
  }
}
