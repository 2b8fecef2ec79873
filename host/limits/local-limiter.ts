import type { Account } from '../auth/authenticate.ts';
import { concurrencyLimited, rateLimited } from '../errors/details.ts';
import { type Admission, type RequestLimiter, rateHeaders, secondsToNext, WINDOW_MS } from './admission.ts';
import { ConcurrencyLimiter } from './concurrency-limiter.ts';
import { RateLimiter } from './rate-limiter.ts';
import { once } from './release.ts';

/** Limits the requests of one process: at most `requestsPerMinute` in any 60 seconds, and `maxConcurrent` at once. */
export class LocalLimiter implements RequestLimiter {
  readonly #rates: RateLimiter;
  readonly #concurrency = new ConcurrencyLimiter();

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(now?: () => number) {
    this.#rates = new RateLimiter(now);
  }

  get inFlight(): number {
    return this.#concurrency.total;
  }

  /** The times of the requests that count now, of all accounts by id. */
  recentTimes(): Iterable<[id: string, times: readonly number[]]> {
    return this.#rates.recentTimes();
  }

  admit(account: Account, timeMs?: number): Admission {
    if (this.#concurrency.isFull(account))
      throw concurrencyLimited(account.maxConcurrent, this.#headers(account));
    if (this.#isRateLimited(account) && this.#rates.isUsedUp(account)) {
      const waitS = secondsToNext(this.#rates.use(account));
      throw rateLimited(account.requestsPerMinute, WINDOW_MS / 1000, waitS, this.#headers(account));
    }
    return this.record(account, timeMs);
  }

  /** Counts a request without a check: another limiter has admitted it. */
  record(account: Account, timeMs?: number): Admission {
    const release = this.#concurrency.enter(account);
    if (!this.#isRateLimited(account)) return { headers: {}, release, refund: () => ({}) };
    const counted = this.#rates.count(account, timeMs);
    const uncount = once(() => this.#rates.uncount(account, counted));
    const refund = () => {
      uncount();
      return this.#headers(account);
    };
    return { headers: this.#headers(account), release, refund };
  }

  #isRateLimited({ requestsPerMinute }: Account): boolean {
    return requestsPerMinute !== Number.POSITIVE_INFINITY;
  }

  #headers(account: Account) {
    return this.#isRateLimited(account) ? rateHeaders(account, this.#rates.use(account)) : {};
  }
}
