import type { Account } from '../auth/authenticate.ts';
import { rateLimited } from '../errors/details.ts';
import { once } from './release.ts';

const WINDOW_MS = 60_000;

/** A request that counts against the rate limit of its account. */
export interface CountedRequest {
  /** The RateLimit headers of the response; empty for an account without a limit. */
  headers: Record<string, string>;
  /** Undoes the count. Idempotent. */
  refund(): void;
}

/**
 * A sliding-window rate limiter: at most `requestsPerMinute` requests in any 60 seconds. It stores the time of each
 * counted request, as a fixed window would allow twice the limit across its boundary. Memory is bounded by the limits
 * and the number of accounts.
 */
export class RateLimiter {
  readonly #times = new Map<string, number[]>();
  readonly #now: () => number;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a request. Throws `rate_limited` if the account is at its limit. */
  count(account: Account): CountedRequest {
    if (account.requestsPerMinute === Number.POSITIVE_INFINITY) return { headers: {}, refund: () => {} };
    const times = this.#recentTimes(account.id);
    if (times.length >= account.requestsPerMinute) {
      const waitS = this.#secondsToNext(times);
      const headers = this.#headers(account, times);
      throw rateLimited(account.requestsPerMinute, WINDOW_MS / 1000, waitS, headers);
    }
    const time = this.#now();
    times.push(time);
    return { headers: this.#headers(account, times), refund: once(() => remove(times, time)) };
  }

  /** The RateLimit headers of a response to a request that is not counted. */
  headers(account: Account): Record<string, string> {
    if (account.requestsPerMinute === Number.POSITIVE_INFINITY) return {};
    return this.#headers(account, this.#recentTimes(account.id));
  }

  #recentTimes(id: string): number[] {
    const times = this.#times.get(id) ?? [];
    this.#times.set(id, times);
    const oldest = this.#now() - WINDOW_MS;
    // A request exactly 60 s old is still inside the window.
    const firstRecent = times.findIndex((time) => time >= oldest);
    times.splice(0, firstRecent === -1 ? times.length : firstRecent);
    return times;
  }

  /** Whole seconds until the oldest counted request has left the window. */
  #secondsToNext(times: number[]): number {
    const oldest = times[0];
    return oldest === undefined ? 0 : Math.floor((oldest + WINDOW_MS - this.#now()) / 1000) + 1;
  }

  #headers(account: Account, times: number[]): Record<string, string> {
    const remaining = Math.max(0, account.requestsPerMinute - times.length);
    const resetS = this.#secondsToNext(times);
    return {
      'RateLimit-Policy': `"default";q=${account.requestsPerMinute};w=${WINDOW_MS / 1000}`,
      RateLimit: `"default";r=${remaining};t=${resetS}`,
      'X-RateLimit-Limit': String(account.requestsPerMinute),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + resetS),
    };
  }
}

function remove(times: number[], time: number): void {
  const index = times.indexOf(time);
  if (index !== -1) times.splice(index, 1);
}
