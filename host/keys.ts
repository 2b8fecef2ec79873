import { timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { hashKey } from './key.ts';

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

/** Keys by their hash. */
export class KeyStore {
  readonly #byHash = new Map<string, KeyRecord>();

  constructor(records: Iterable<KeyRecord>) {
    for (const record of records) this.#byHash.set(record.hash.toString('hex'), record);
  }

  /** The record of a key that works now; unknown, revoked and expired are told apart by nobody outside. */
  find(key: string, nowMs = Date.now()): KeyRecord | undefined {
    const hash = hashKey(key);
    const record = this.#byHash.get(hash.toString('hex'));
    if (record === undefined || !timingSafeEqual(record.hash, hash)) return undefined;
    const isOver = record.revoked === true || (record.expiresAt ?? Number.POSITIVE_INFINITY) <= nowMs;
    return isOver ? undefined : record;
  }
}

/** Reads `{"keys": [{"hash": hex, "account", "tier", "limit"?, "expires"?, "revoked"?}]}`. */
export function readKeysFile(path: string): KeyRecord[] {
  const document: unknown = JSON.parse(readFileSync(path, 'utf8'));
  const keys = isObject(document) ? document.keys : undefined;
  if (!Array.isArray(keys)) throw new Error(`${path}: expected an object with a list "keys"`);
  return keys.map((row, index) => toRecord(row, `${path}: keys[${index}]`));
}

function toRecord(row: unknown, where: string): KeyRecord {
  if (!isObject(row)) throw new Error(`${where} must be an object`);
  const need = (ok: boolean, what: string) => {
    if (!ok) throw new Error(`${where}.${what}`);
  };
  const { hash, account, tier, limit, expires, revoked } = row;
  need(typeof hash === 'string' && /^[0-9a-f]{64}$/.test(hash), 'hash must be a SHA-256 in hexadecimal');
  need(typeof account === 'string' && account !== '', 'account must be a text');
  need((TIERS as readonly unknown[]).includes(tier), `tier must be one of ${TIERS.join(', ')}`);
  need(
    limit === undefined || (Number.isInteger(limit) && Number(limit) > 0),
    'limit must be a whole number above 0',
  );
  const expiresAt = expires === undefined ? undefined : Date.parse(String(expires));
  need(!Number.isNaN(expiresAt), 'expires must be a date and time');
  return {
    hash: Buffer.from(String(hash), 'hex'),
    account: String(account),
    tier: tier as Tier,
    revoked: revoked === true,
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(expiresAt === undefined ? {} : { expiresAt }),
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
