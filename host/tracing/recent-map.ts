/** A map of at most `maxSize` entries. A further one takes the place of the one that was set longest ago. */
export class RecentMap<T> {
  readonly #entries = new Map<string, T>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    // A map keeps the order in which its keys were added.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxSize && oldest !== undefined) this.#entries.delete(oldest);
  }

  values(): T[] {
    return [...this.#entries.values()];
  }
}
