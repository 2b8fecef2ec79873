import type { Account } from '../auth/authenticate.ts';
import { type RateUse, WINDOW_MS } from './admission.ts';

/**
 * Counts the requests of each account in a sliding window. It stores the time of each counted request, as a fixed window
 * would allow twice the limit across its boundary. Memory is bounded by the limits and the number of accounts.
 */
export class RateLimiter {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  isUsedUp({ id, requestsPerMinute }: Account): boolean {
    return this.#recent(id).length >= requestsPerMinute;
  }

  /** Counts a request that was made at a time, or makes it now, whatever the limit. */
  count({ id }: Account, timeMs = this.#now()): number {
    const times = this.#recent(id);
    // Mostly the last one: answers of a store can arrive in another order than requests.
    let index = times.length;
    while (index > 0 && (times[index - 1] ?? 0) > timeMs) index--;
    times.splice(index, 0, timeMs);
    return timeMs;
  }

  /** Undoes one count of a time. */
  uncount({ id }: Account, timeMs: number): void {
    const times = this.#recent(id);
    const index = times.lastIndexOf(timeMs);
    if (index !== -1) times.splice(index, 1);
  }

  use({ id }: Account): RateUse {
    const times = this.#recent(id);
    return { count: times.length, oldestAgeMs: this.#now() - (times[0] ?? 0) };
  }

  /** The times that count now, of all accounts by id. */
  *recentTimes(): Iterable<[id: string, times: readonly number[]]> {
    for (const id of this.#times.keys()) {
      const times = this.#recent(id);
      if (times.length > 0) yield [id, times];
    }
  }

  #recent(id: string): number[] {
    const times = this.#times.get(id) ?? [];
    this.#times.set(id, times);
    const oldest = this.#now() - WINDOW_MS;
    // A request exactly 60 s old is still inside the window.
    const firstRecent = times.findIndex((time) => time >= oldest);
    times.splice(0, firstRecent === -1 ? times.length : firstRecent);
    return times;
  }
}
