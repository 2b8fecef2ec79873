import { randomBytes } from 'node:crypto';
import { generateKey, hashKey, keyId } from '../../auth/api-key.ts';
import type { KeyRow } from '../../auth/key-file-format.ts';
import type { Change } from '../../auth/key-registry.ts';
import { UsageError } from '../parse-args.ts';

const MIN_ID_DIGITS = 8;
const ACCOUNT_BYTES = 8;

/** A new key. Only its hash is stored. */
export interface IssuedKey {
  key: string;
  row: KeyRow;
}

/** The properties of a new key. The default account is a new one. */
export type KeyTerms = Pick<KeyRow, 'tier' | 'limit' | 'expires' | 'label'> & { account?: string };

/** The id of a key. */
export const idOf = ({ hash }: KeyRow): string => keyId(hash);

/** The state of a key at a time. */
export function stateOf({ revoked, expires }: KeyRow, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (revoked === true) return 'revoked';
  return expires !== undefined && Date.parse(expires) <= nowMs ? 'expired' : 'active';
}

/** Adds a key. All active keys of an account must have the same tier and limit, as they share one rate limit. */
export function issue(rows: KeyRow[], terms: KeyTerms, nowMs: number): Change<IssuedKey> {
  const { account = `acct_${randomBytes(ACCOUNT_BYTES).toString('hex')}`, ...rest } = terms;
  const differs = (row: KeyRow) => row.tier !== terms.tier || row.limit !== terms.limit;
  const active = rows.filter((row) => row.account === account && stateOf(row, nowMs) === 'active');
  const conflict = active.find(differs);
  if (conflict !== undefined) {
    const reason = `All active keys of ${account} must have the same tier and limit.`;
    throw new UsageError(`${reason} Revoke key ${idOf(conflict)} (tier ${tierText(conflict)}) first.`);
  }
  return add(rows, { ...rest, account }, nowMs);
}

/** Revokes keys permanently. Their rows stay in the file, so that the list shows them. */
export function revoke(rows: KeyRow[], ids: string[]): Change<KeyRow[]> {
  const found = ids.map((id) => find(rows, id));
  const next = rows.map((row) => (found.includes(row) ? { ...row, revoked: true } : row));
  return { rows: next, result: found };
}

/**
 * Replaces a key by a new one with the same properties. The old key expires after the grace period, or when it would
 * have anyway.
 */
export function rotate(rows: KeyRow[], id: string, graceMs: number, nowMs: number): Change<IssuedKey> {
  const old = find(rows, id);
  const state = stateOf(old, nowMs);
  if (state !== 'active') throw new UsageError(`Key ${idOf(old)} is ${state}. Issue a new key instead.`);
  const endMs = Math.min(nowMs + graceMs, Date.parse(old.expires ?? '') || Number.POSITIVE_INFINITY);
  const expiring = { ...old, expires: new Date(endMs).toISOString() };
  const others = rows.map((row) => (row === old ? expiring : row));
  const { hash: _, created: __, ...kept } = old;
  return add(others, kept, nowMs);
}

/** The tier and the limit of a key, for messages. */
export const tierText = ({ tier, limit }: KeyRow): string =>
  limit === undefined ? tier : `${tier}, ${limit} requests per minute`;

function add(rows: KeyRow[], kept: Omit<KeyRow, 'hash' | 'created'>, nowMs: number): Change<IssuedKey> {
  const key = generateKey();
  const row = { hash: hashKey(key).toString('hex'), ...kept, created: new Date(nowMs).toISOString() };
  return { rows: [...rows, row], result: { key, row } };
}

/** Whether there is a key with an id. */
export function has(rows: readonly KeyRow[], id: string): boolean {
  return isId(id) && rows.some(({ hash }) => hash.startsWith(id));
}

const isId = (text: string) => text.length >= MIN_ID_DIGITS && /^[0-9a-f]+$/.test(text);

function find(rows: KeyRow[], id: string): KeyRow {
  // Not repeated in the message: it may be a key that was pasted by mistake.
  if (!isId(id))
    throw new UsageError('Pass the id of a key, as the list command shows it, not the key itself.');
  const [row, second] = rows.filter(({ hash }) => hash.startsWith(id));
  if (row === undefined) throw new UsageError(`No key has the id ${id}.`);
  if (second !== undefined)
    throw new UsageError(`Several keys have ids that start with ${id}. Use more digits.`);
  return row;
}
