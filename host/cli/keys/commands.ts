import { randomBytes } from 'node:crypto';
import { hashKey, mintKey } from '../../auth/api-key.ts';
import type { Change } from '../../auth/key-file.ts';
import type { KeyRow } from '../../auth/key-file-format.ts';
import { UsageError } from '../parse-args.ts';

/** A key is named by the beginning of its hash: enough to tell it apart, of no use to whoever wants to call. */
const ID_DIGITS = 12;
const LEAST_ID_DIGITS = 8;
const ACCOUNT_BYTES = 8;

/** A key just made: the only time it is seen. */
export interface Issued {
  key: string;
  row: KeyRow;
}

/** What is asked for; the rest has defaults. */
export type Terms = Pick<KeyRow, 'tier' | 'limit' | 'expires' | 'label'> & { account?: string };

export const idOf = ({ hash }: KeyRow): string => hash.slice(0, ID_DIGITS);

/** Whether a key works at a time, and if not, why. */
export function stateOf({ revoked, expires }: KeyRow, nowMs: number): 'active' | 'revoked' | 'expired' {
  if (revoked === true) return 'revoked';
  return expires !== undefined && Date.parse(expires) <= nowMs ? 'expired' : 'active';
}

/** Adds a key. All working keys of an account have one tier and one limit, as they share one rate. */
export function issue(rows: KeyRow[], terms: Terms, nowMs: number): Change<Issued> {
  const { account = `acct_${randomBytes(ACCOUNT_BYTES).toString('hex')}`, ...rest } = terms;
  const isOther = (row: KeyRow) => row.tier !== terms.tier || row.limit !== terms.limit;
  const working = rows.filter((row) => row.account === account && stateOf(row, nowMs) === 'active');
  const other = working.find(isOther);
  if (other !== undefined) {
    throw new UsageError(`${account} has key ${idOf(other)} of tier ${tierOf(other)}; revoke that first`);
  }
  return add(rows, { ...rest, account }, nowMs);
}

/** Revokes keys, for good. Their rows stay, so that the list tells what happened to them. */
export function revoke(rows: KeyRow[], ids: string[]): Change<KeyRow[]> {
  const found = ids.map((id) => find(rows, id));
  const next = rows.map((row) => (found.includes(row) ? { ...row, revoked: true } : row));
  return { rows: next, result: found };
}

/** Adds a key like another, which goes on working for the grace time and no longer than it would have. */
export function rotate(rows: KeyRow[], id: string, graceMs: number, nowMs: number): Change<Issued> {
  const old = find(rows, id);
  const state = stateOf(old, nowMs);
  if (state !== 'active') throw new UsageError(`key ${idOf(old)} is ${state}; issue a new one instead`);
  const endMs = Math.min(nowMs + graceMs, Date.parse(old.expires ?? '') || Number.POSITIVE_INFINITY);
  const ending = { ...old, expires: new Date(endMs).toISOString() };
  const others = rows.map((row) => (row === old ? ending : row));
  const { hash: _, created: __, ...kept } = old;
  return add(others, kept, nowMs);
}

export const tierOf = ({ tier, limit }: KeyRow): string =>
  limit === undefined ? tier : `${tier}, ${limit} a minute`;

function add(rows: KeyRow[], kept: Omit<KeyRow, 'hash' | 'created'>, nowMs: number): Change<Issued> {
  const key = mintKey();
  const row = { hash: hashKey(key).toString('hex'), ...kept, created: new Date(nowMs).toISOString() };
  return { rows: [...rows, row], result: { key, row } };
}

function find(rows: KeyRow[], id: string): KeyRow {
  // What is not an id may be a key pasted by mistake, so it is not repeated.
  const isId = id.length >= LEAST_ID_DIGITS && /^[0-9a-f]+$/.test(id);
  if (!isId)
    throw new UsageError('Name keys by their ids, as the list shows them; never by the keys themselves.');
  const [row, second] = rows.filter(({ hash }) => hash.startsWith(id));
  if (row === undefined) throw new UsageError(`There is no key ${id}.`);
  if (second !== undefined) throw new UsageError(`There are several keys ${id}; use more digits.`);
  return row;
}
