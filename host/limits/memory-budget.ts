import { once, type Release } from './release.ts';

/** A number of bytes that all requests share. */
export class MemoryBudget {
  readonly #totalBytes: number;
  #reservedBytes = 0;

  constructor(totalBytes: number) {
    this.#totalBytes = totalBytes;
  }

  /**
   * Reserves bytes; undefined if not enough are free. A request for more than the total reserves the total, so that
   * work of any size can run by itself.
   */
  reserve(bytes: number): Release | undefined {
    const charge = Math.min(bytes, this.#totalBytes);
    if (this.#reservedBytes + charge > this.#totalBytes) return undefined;
    this.#reservedBytes += charge;
    return once(() => {
      this.#reservedBytes -= charge;
    });
  }

  get reservedBytes(): number {
    return this.#reservedBytes;
  }
}
