import { type KeyRow, parseJson, parseRow } from '../auth/key-file-format.ts';
import type { Change, KeyRegistry } from '../auth/key-registry.ts';
import { describe, log } from '../observability/log.ts';
import { NAMES } from './scripts.ts';
import type { Store, StoreClient } from './store.ts';

/** Other commands change keys at the same time, but rarely. */
const MAX_ATTEMPTS = 100;

/** The store has lost its API keys: one that it does not know may be valid. */
export class KeysLost extends Error {}

/** The API keys in a store. */
export class StoredKeys implements KeyRegistry {
  readonly #store: Store;
  #haveExisted = false;
  #areLost = false;
  #lastChange: Promise<unknown> = Promise.resolve();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Whether the store had API keys when it was asked before, and has lost them. */
  get areLost(): boolean {
    return this.#areLost;
  }

  /** The row of the key with a hash. Rejects with `StoreUnavailable` or `KeysLost`. */
  async find(hash: string): Promise<KeyRow | undefined> {
    const [text, exist] = await this.#store.run((client) =>
      // Sent together.
      Promise.all([client.hget(NAMES.keys, hash), client.exists(NAMES.keysExist)]),
    );
    this.#note(exist === 1);
    if (text !== null) return toRow(text, hash);
    if (this.#areLost) throw new KeysLost('the store has lost its API keys');
    return undefined;
  }

  /** The rows in the order of their creation. */
  async read(): Promise<KeyRow[]> {
    return toRows(await this.#store.run((client) => client.hgetall(NAMES.keys)));
  }

  /** One change after the other: WATCH and EXEC are for a connection as a whole. */
  change<T>(change: (rows: KeyRow[]) => Change<T>): Promise<T> {
    const result = this.#lastChange.then(() => this.#changeNow(change));
    this.#lastChange = result.catch(() => {});
    return result;
  }

  async #changeNow<T>(change: (rows: KeyRow[]) => Change<T>): Promise<T> {
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      await this.#store.run((client) => client.watch(NAMES.keys));
      const before = await this.#store.run((client) => client.hgetall(NAMES.keys));
      const { rows, result } = change(toRows(before));
      if (await this.#store.run((client) => write(client, before, rows))) return result;
    }
    throw new Error('the keys in the store are being changed by others all the time');
  }

  #note(exist: boolean): void {
    const areLost = this.#haveExisted && !exist;
    if (areLost && !this.#areLost) log('error', 'the store has lost its API keys; keeping those read before');
    if (!areLost && this.#areLost) log('info', 'the store has API keys again');
    this.#haveExisted ||= exist;
    this.#areLost = areLost;
  }

  /** Calls back with the hash of each key that is changed from now on. */
  onChange(callback: (hash: string) => void): void {
    this.#store.subscribe(NAMES.keyChanges, callback).catch((error: unknown) => {
      log('error', 'changes of API keys are not announced; they hold after some seconds', {
        error: describe(error),
      });
    });
  }
}

/** Writes and announces what has changed. False if another command has changed the keys since they were read. */
async function write(
  client: StoreClient,
  before: Record<string, string>,
  rows: readonly KeyRow[],
): Promise<boolean> {
  const after = new Map(rows.map((row) => [row.hash, JSON.stringify(row)]));
  const removed = Object.keys(before).filter((hash) => !after.has(hash));
  const written = [...after].filter(([hash, text]) => before[hash] !== text);
  const transaction = client.multi().set(NAMES.keysExist, '1');
  for (const hash of removed) transaction.hdel(NAMES.keys, hash);
  for (const [hash, text] of written) transaction.hset(NAMES.keys, hash, text);
  for (const hash of [...removed, ...written.map(([hash]) => hash)])
    transaction.publish(NAMES.keyChanges, hash);
  const results = await transaction.exec();
  const failed = results?.find(([error]) => error !== null)?.[0];
  if (failed) throw failed;
  return results !== null;
}

function toRows(texts: Record<string, string>): KeyRow[] {
  const rows = Object.entries(texts).map(([hash, text]) => toRow(text, hash));
  return rows.sort((a, b) => (a.created ?? '').localeCompare(b.created ?? '', 'en'));
}

function toRow(text: string, hash: string): KeyRow {
  const where = `the store's key ${hash.slice(0, 12)}`;
  const row = parseRow(parseJson(text, where), where);
  if (row.hash !== hash) throw new Error(`${where}.hash must be the name of its field`);
  return row;
}
