const TICK_MS = 10;
/** Errors sent without delay: far more than clients that heed Retry-After cause. */
const MIN_PER_SECOND = 1_000;
/** Roughly the longest delay of an error, while few errors wait. */
const MAX_DELAY_MS = 2_000;
/** Share of the longest delay that remains when `maxWaiting` errors wait. */
const MIN_ROOM = 0.02;

/**
 * Delays errors when there are thousands a second. Clients that retry as soon as they are refused would otherwise take the
 * processor time that the worker threads need. The more errors wait, the shorter the delay: each holds a connection, and a
 * flood of clients on new connections would soon take all of them.
 */
export class ErrorPacer {
  readonly #waiting: (() => void)[] = [];
  readonly #maxWaiting: number;
  readonly #now: () => number;
  /** How many errors may be sent before the next tick. */
  #allowance = 0;
  #tickedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Hardly more than `maxWaiting` errors wait. `now` returns milliseconds of a monotonic clock. */
  constructor(maxWaiting: number, now: () => number = () => performance.now()) {
    this.#maxWaiting = maxWaiting;
    this.#now = now;
  }

  /** Resolves when the next error may be sent. */
  async turn(): Promise<void> {
    this.#start();
    if (this.#allowance > 0) this.#allowance--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #start(): void {
    if (this.#timer !== undefined) return;
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tickedMs = this.#now();
    this.#allowance = this.#allowed(TICK_MS);
  }

  #tick(): void {
    const nowMs = this.#now();
    const count = this.#allowed(nowMs - this.#tickedMs);
    this.#tickedMs = nowMs;
    const isUnused = this.#allowance >= count && this.#waiting.length === 0;
    const due = this.#waiting.splice(0, count);
    this.#allowance = this.#waiting.length > 0 ? 0 : count - due.length;
    for (const resolve of due) resolve();
    if (!isUnused) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** How many errors may be sent after `elapsedMs`: the minimum, or as many as keep to the longest delay. */
  #allowed(elapsedMs: number): number {
    const room = Math.max(MIN_ROOM, 1 - this.#waiting.length / this.#maxWaiting);
    const perMs = this.#waiting.length / (MAX_DELAY_MS * room);
    return Math.ceil(Math.max(MIN_PER_SECOND / 1_000, perMs) * elapsedMs);
  }
}
