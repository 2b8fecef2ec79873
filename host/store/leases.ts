import { once, type Release } from '../limits/release.ts';
import type { Run, Store } from './store.ts';

/** A killed process gives its places back after this time. */
const LEASE_MS = 10_000;
/** Two renewals may be lost before a lease ends. */
const RENEWAL_MS = LEASE_MS / 4;
const US_PER_MS = 1_000;
/** Requests in one call of a script, so that no call holds up the store for long. */
const BATCH = 500;
/** What the store forgets by itself need not be removed any more. */
const FORGOTTEN_AFTER_MS = 60_000;

/** An entry of a sorted set in the store. */
interface Entry {
  key: string;
  id: string;
}

/** The places of this process's requests in the store, and what is to be removed there. */
export class Leases {
  readonly leaseUs = LEASE_MS * US_PER_MS;
  readonly #store: Store;
  readonly #held = new Map<string, Entry>();
  /** Removals that the store has not confirmed. */
  readonly #removals = new Map<Entry, number>();

  readonly #renewals: NodeJS.Timeout;

  constructor(store: Store) {
    this.#store = store;
    this.#renewals = setInterval(() => void this.#renew(), RENEWAL_MS);
    this.#renewals.unref();
  }

  /** Ends the renewals. */
  close(): void {
    clearInterval(this.#renewals);
  }

  /** Renews the lease of a place that the store has given, or will learn about, until the release. */
  hold(key: string, id: string): Release {
    this.#held.set(id, { key, id });
    return once(() => {
      this.#held.delete(id);
      this.forget(key, id);
    });
  }

  /** Removes an entry from the store: now, or when the store is back. */
  forget(key: string, id: string): void {
    this.#dropOldRemovals();
    const entry = { key, id };
    this.#removals.set(entry, performance.now());
    this.#store
      .run((client) => client.forget(1, key, id))
      .then(
        () => this.#removals.delete(entry),
        () => {},
      );
  }

  /** Brings the store up to date after it was out of reach. */
  async restore(run: Run): Promise<void> {
    this.#dropOldRemovals();
    for (const batch of batches([...this.#removals.keys()])) {
      const keys = batch.map(({ key }) => key);
      await run((client) => client.forget(keys.length, ...keys, ...batch.map(({ id }) => id)));
      for (const entry of batch) this.#removals.delete(entry);
    }
    await this.#renewAll(run);
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0 || !this.#store.isAvailable) return;
    await this.#renewAll((operation) => this.#store.run(operation)).catch(() => {});
  }

  async #renewAll(run: Run): Promise<void> {
    for (const batch of batches([...this.#held.values()])) {
      // A request that has ended since the batch before has sent its removal already.
      const held = batch.filter(({ id }) => this.#held.has(id));
      const ids = held.map(({ id }) => id);
      const keys = held.map(({ key }) => key);
      await run((client) => client.renew(keys.length, ...keys, this.leaseUs, ...ids));
    }
  }

  #dropOldRemovals(): void {
    const oldestMs = performance.now() - FORGOTTEN_AFTER_MS;
    for (const [entry, sinceMs] of this.#removals) {
      if (sinceMs >= oldestMs) return;
      this.#removals.delete(entry);
    }
  }
}

function* batches<T>(items: readonly T[]): Iterable<T[]> {
  for (let from = 0; from < items.length; from += BATCH) yield items.slice(from, from + BATCH);
}
