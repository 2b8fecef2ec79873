import type { Account } from '../auth/authenticate.ts';
import { concurrencyLimited } from '../errors/details.ts';
import { once, type Release } from './release.ts';

/** Limits the concurrent requests of each account. */
export class ConcurrencyLimiter {
  readonly #requests = new Map<string, number>();

  /** Counts a request as in flight until its release. Throws `concurrency_limited` if the account is at its limit. */
  acquire(account: Account): Release {
    const count = this.#requests.get(account.id) ?? 0;
    if (count >= account.maxConcurrent) throw concurrencyLimited(account.maxConcurrent);
    this.#requests.set(account.id, count + 1);
    return once(() => this.#release(account.id));
  }

  /** Requests in flight, over all accounts. */
  get total(): number {
    return [...this.#requests.values()].reduce((sum, count) => sum + count, 0);
  }

  #release(id: string): void {
    const count = this.#requests.get(id) ?? 0;
    if (count <= 1) this.#requests.delete(id);
    else this.#requests.set(id, count - 1);
  }
}
