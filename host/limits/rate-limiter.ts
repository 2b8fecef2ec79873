import type { Account } from '../auth/authenticate.ts';
import { Problem } from '../errors/problem.ts';
import { once } from './release.ts';

const WINDOW_MS = 60_000;

/** One request that counts against an account's rate. */
export interface Pass {
  /** What the answer says about the rate; empty for unlimited accounts. */
  headers: Record<string, string>;
  /** Undoes the count. Harmless when called again. */
  giveBack(): void;
}

/**
 * At most `perMinute` passes in any 60 seconds, exactly: a log of the times of passes per account. A fixed window
 * would let twice as many through across its edge. Logs are as long as the limit, accounts as many as were issued.
 */
export class Rates {
  readonly #logs = new Map<string, number[]>();
  readonly #now: () => number;

  /** `now` is a clock in milliseconds that never goes back. */
  constructor(now: () => number = () => performance.now()) {
    this.#now = now;
  }

  /** Counts a request, or throws `rate_limited`. */
  pass(account: Account): Pass {
    if (account.perMinute === Number.POSITIVE_INFINITY) return { headers: {}, giveBack: () => {} };
    const log = this.#recent(account.id);
    if (log.length >= account.perMinute) throw this.#refusal(account, log);
    const time = this.#now();
    log.push(time);
    return { headers: this.#headers(account, log), giveBack: once(() => remove(log, time)) };
  }

  /** What an answer says about the rate when the request is not counted. */
  peek(account: Account): Record<string, string> {
    if (account.perMinute === Number.POSITIVE_INFINITY) return {};
    return this.#headers(account, this.#recent(account.id));
  }

  #recent(id: string): number[] {
    const log = this.#logs.get(id) ?? [];
    this.#logs.set(id, log);
    const oldest = this.#now() - WINDOW_MS;
    // A pass exactly 60 s old still lies in a window of 60 s that ends now.
    const old = log.findIndex((time) => time >= oldest);
    log.splice(0, old === -1 ? log.length : old);
    return log;
  }

  #refusal(account: Account, log: number[]): Problem {
    const waitS = this.#secondsToNext(log);
    const detail = `At most ${account.perMinute} requests in 60 seconds; the next is possible in ${waitS} s.`;
    const headers = { 'Retry-After': String(waitS), ...this.#headers(account, log) };
    return new Problem('rate_limited', detail, { headers });
  }

  /** The least whole number of seconds after which the oldest counted pass has left the window. */
  #secondsToNext(log: number[]): number {
    const oldest = log[0];
    return oldest === undefined ? 0 : Math.floor((oldest + WINDOW_MS - this.#now()) / 1000) + 1;
  }

  #headers(account: Account, log: number[]): Record<string, string> {
    const remaining = Math.max(0, account.perMinute - log.length);
    const resetS = this.#secondsToNext(log);
    return {
      'RateLimit-Policy': `"default";q=${account.perMinute};w=${WINDOW_MS / 1000}`,
      RateLimit: `"default";r=${remaining};t=${resetS}`,
      'X-RateLimit-Limit': String(account.perMinute),
      'X-RateLimit-Remaining': String(remaining),
      'X-RateLimit-Reset': String(Math.ceil(Date.now() / 1000) + resetS),
    };
  }
}

function remove(log: number[], time: number): void {
  const at = log.indexOf(time);
  if (at !== -1) log.splice(at, 1);
}
