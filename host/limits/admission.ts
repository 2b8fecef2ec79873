import type { Account } from '../auth/authenticate.ts';
import type { Release } from './release.ts';

/** The length of the window that rates count in. */
export const WINDOW_MS = 60_000;

/** A request within the limits of its account. */
export interface Admission {
  /** The RateLimit headers of the response; empty for an account without a rate limit. */
  headers: RateHeaders;
  /** Ends the request: it no longer counts as concurrent. Idempotent. */
  release: Release;
  /** Takes the request out of the rate, and returns the RateLimit headers from then on. Idempotent. */
  refund(): RateHeaders;
}

/** Keeps accounts within their limits of concurrent requests and of requests in any 60 seconds. */
export interface RequestLimiter {
  /** Throws `concurrency_limited` or `rate_limited`, in this order. What is rejected does not count. */
  admit(account: Account): Admission | Promise<Admission>;
  /** Requests of this process that have been admitted and not released. */
  readonly inFlight: number;
}

export type RateHeaders = Record<string, string>;

/** How much of a rate is used. */
export interface RateUse {
  /** Requests that count now. */
  count: number;
  /** Milliseconds since the oldest of them; ignored if there is none. */
  oldestAgeMs: number;
}

/** Whole seconds until the oldest counted request has left the window. One exactly 60 s old is still inside. */
export function secondsToNext({ count, oldestAgeMs }: RateUse): number {
  return count === 0 ? 0 : Math.floor((WINDOW_MS - oldestAgeMs) / 1000) + 1;
}

/** The RateLimit headers of an account; none if its rate has no limit. */
export function rateHeaders({ requestsPerMinute }: Account, use: RateUse): RateHeaders {
  if (requestsPerMinute === Number.POSITIVE_INFINITY) return {};
  const remaining = Math.max(0, requestsPerMinute - use.count);
  const resetS = secondsToNext(use);
  return {
    'RateLimit-Policy': `"default";q=${requestsPerMinute};w=${WINDOW_MS / 1000}`,
    RateLimit: `"default";r=${remaining};t=${resetS}`,
    'X-RateLimit-Limit': String(requestsPerMinute),
    'X-RateLimit-Remaining': String(remaining),
    'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + resetS),
  };
}
