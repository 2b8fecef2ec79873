import { once, type Release } from './release.ts';

/** Bytes of a budget that one piece of work holds. */
export interface Reservation {
  /**
   * Changes the number of bytes. Never fails: what is already in memory is counted even above the total, and others wait
   * until it is given back. Does nothing after the release.
   */
  resize(bytes: number): void;
  release: Release;
}

/** A number of bytes that all requests share. */
export class MemoryBudget {
  readonly totalBytes: number;
  readonly #held = new Map<string, number>();
  #reservedBytes = 0;

  constructor(totalBytes: number) {
    this.totalBytes = totalBytes;
  }

  get reservedBytes(): number {
    return this.#reservedBytes;
  }

  /** A request for more than the total needs the total, so that work of any size can run by itself. */
  canReserve(bytes: number): boolean {
    return Math.min(bytes, this.totalBytes) <= this.#freeBytes;
  }

  /** Reserves bytes, at most the total; undefined if not enough are free. */
  reserve(bytes: number): Reservation | undefined {
    return this.canReserve(bytes) ? this.#take('', bytes) : undefined;
  }

  /**
   * Reserves bytes for an account, which may hold no more than it leaves free: one account can have half of the budget,
   * two a third each, and something always remains for the next one. (Choudhury and Hahne, "Dynamic queue length
   * thresholds for shared-memory packet switches", 1998, with α = 1.) An account that holds nothing may have all that is free.
   */
  reserveFor(account: string, bytes: number): Reservation | undefined {
    const held = this.#held.get(account) ?? 0;
    return this.canReserve(held + bytes) ? this.#take(account, bytes) : undefined;
  }

  get #freeBytes(): number {
    return this.totalBytes - this.#reservedBytes;
  }

  #take(account: string, bytes: number): Reservation {
    let size = 0;
    const resize = (newBytes: number) => {
      const change = newBytes - size;
      size = newBytes;
      this.#add(account, change);
    };
    resize(Math.min(bytes, this.totalBytes));
    let isReleased = false;
    const release = once(() => {
      resize(0);
      isReleased = true;
    });
    return { resize: (newBytes) => !isReleased && resize(newBytes), release };
  }

  #add(account: string, bytes: number): void {
    this.#reservedBytes += bytes;
    const held = (this.#held.get(account) ?? 0) + bytes;
    if (held === 0) this.#held.delete(account);
    else this.#held.set(account, held);
  }
}
