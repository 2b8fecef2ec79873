/**
 * Start-time fair queueing between accounts (Goyal, Vin and Cheng, 1996): each account's work advances its own clock, and the
 * account whose clock is furthest behind goes next. An account that had nothing to do does not save up time.
 */
export class FairShare {
  readonly #clocks = new Map<string, number>();
  /** The clock of the account that was served last: nobody is behind it. */
  #nowMs = 0;

  /** Where the account's clock stands, in milliseconds of work. */
  clockMs(account: string): number {
    return Math.max(this.#clocks.get(account) ?? 0, this.#nowMs);
  }

  /** Counts the predicted work of a job that starts. */
  start(account: string, predictedMs: number): void {
    this.#nowMs = this.clockMs(account);
    this.#clocks.set(account, this.#nowMs + predictedMs);
    for (const [other, clockMs] of this.#clocks) if (clockMs <= this.#nowMs) this.#clocks.delete(other);
  }

  /** Corrects the account's clock by what a job took more or less than predicted. */
  correct(account: string, differenceMs: number): void {
    this.#clocks.set(account, this.clockMs(account) + differenceMs);
  }
}
