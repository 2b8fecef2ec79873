import { setTimeout as sleep } from 'node:timers/promises';
import type { KeyRow } from '../../auth/key-file-format.ts';
import type { KeyRegistry } from '../../auth/key-registry.ts';

/** A service reads its key file every second. Until it has, keys that move there stay where they were as well. */
export const SETTLE_MS = 3_000;

/**
 * Moves all keys from one place to another: they are written there, and then removed here, except for those that another
 * command has changed in between, which are moved again. So every key is always in at least one place. Returns how many
 * were moved. `settleMs` is the time until all processes have read what is written.
 */
export async function moveKeys(from: KeyRegistry, to: KeyRegistry, settleMs = 0): Promise<number> {
  const moved = new Set<string>();
  for (let rows = await from.read(); rows.length > 0; rows = await from.read()) {
    await to.change((existing) => ({ rows: merged(existing, rows), result: undefined }));
    await sleep(settleMs);
    const copied = new Set(rows.map((row) => JSON.stringify(row)));
    await from.change((current) => ({
      rows: current.filter((row) => !copied.has(JSON.stringify(row))),
      result: undefined,
    }));
    for (const { hash } of rows) moved.add(hash);
  }
  return moved.size;
}

/** All rows of two lists, once each. The later one counts, but what is revoked in one of them stays revoked. */
export function merged(earlier: readonly KeyRow[], later: readonly KeyRow[]): KeyRow[] {
  const byHash = new Map(earlier.map((row) => [row.hash, row]));
  for (const row of later) {
    const isRevoked = row.revoked === true || byHash.get(row.hash)?.revoked === true;
    byHash.set(row.hash, isRevoked ? { ...row, revoked: true } : row);
  }
  return [...byHash.values()];
}
