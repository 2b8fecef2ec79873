const TICK_MS = 10;
/** Errors sent per tick without delay: 1,000 a second, far more than clients cause that heed Retry-After. */
const MIN_PER_TICK = 10;
/** Roughly the longest delay of an error. */
const MAX_DELAY_MS = 2_000;

/**
 * Delays errors when there are thousands a second. Clients that send their next request as soon as they are refused would
 * otherwise take the processor time that the worker threads need; so they wait, and the others do not.
 */
export class ErrorPacer {
  readonly #waiting: (() => void)[] = [];
  #sentInTick = 0;
  #timer: NodeJS.Timeout | undefined;

  /** Resolves when the next error may be sent. */
  async turn(): Promise<void> {
    this.#timer ??= setInterval(() => this.#tick(), TICK_MS);
    this.#sentInTick++;
    if (this.#sentInTick > MIN_PER_TICK) await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  #tick(): void {
    const share = Math.ceil((this.#waiting.length * TICK_MS) / MAX_DELAY_MS);
    const due = this.#waiting.splice(0, Math.max(MIN_PER_TICK, share));
    // Errors that come next wait behind those that still wait.
    this.#sentInTick = this.#waiting.length > 0 ? MIN_PER_TICK : due.length;
    for (const resolve of due) resolve();
    if (due.length > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
