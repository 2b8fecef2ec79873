const TICK_MS = 10;
/** Errors sent without delay: far more than clients that heed Retry-After cause. */
const MIN_PER_SECOND = 1_000;
/** Roughly the longest delay of an error. */
const MAX_DELAY_MS = 4_000;

/** `due`: the error may be sent. `hurried`: it must be, and its connection be closed, as another one needs the place. */
export type Turn = 'due' | 'hurried';

interface Waiting {
  isGone(): boolean;
  resolve(turn: Turn): void;
}

/**
 * Delays errors when there are thousands a second. Clients that retry as soon as they are refused would otherwise take the
 * processor time that the worker threads need. An error that waits keeps a connection open; at the limit of connections it is
 * hurried.
 */
export class ErrorPacer {
  #waiting: Waiting[] = [];
  readonly #now: () => number;
  /** How many errors may be sent before the next tick. */
  #allowance = 0;
  #tickedMs = 0;
  #timer: NodeJS.Timeout | undefined;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Resolves when the next error may be sent. `isGone`: whether its client has disconnected meanwhile. */
  async turn(isGone: () => boolean): Promise<Turn> {
    this.#start();
    if (this.#allowance > 0) {
      this.#allowance--;
      return 'due';
    }
    return new Promise<Turn>((resolve) => this.#waiting.push({ isGone, resolve }));
  }

  /** Ends the delay of the error that has waited longest. Returns whether there is one. */
  hurry(): boolean {
    for (let first = this.#waiting.shift(); first !== undefined; first = this.#waiting.shift()) {
      const isWanted = !first.isGone();
      first.resolve('hurried');
      if (isWanted) return true;
    }
    return false;
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
    for (const { resolve } of due) resolve('due');
    if (!isUnused) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** How many errors may be sent after `elapsedMs`: the minimum, or as many as keep to the longest delay. */
  #allowed(elapsedMs: number): number {
    const perMs = this.#waiting.length / MAX_DELAY_MS;
    return Math.ceil(Math.max(MIN_PER_SECOND / 1_000, perMs) * elapsedMs);
  }
}
