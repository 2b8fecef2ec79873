import type { Account } from '../auth/authenticate.ts';
import { once, type Release } from './release.ts';

/** Counts the concurrent requests of each account. */
export class ConcurrencyLimiter {
  readonly #requests = new Map<string, number>();

  isFull({ id, maxConcurrent }: Account): boolean {
    return (this.#requests.get(id) ?? 0) >= maxConcurrent;
  }

  /** Counts a request as in flight until its release, whatever the limit. */
  enter({ id }: Account): Release {
    this.#requests.set(id, (this.#requests.get(id) ?? 0) + 1);
    return once(() => this.#leave(id));
  }

  /** Requests in flight, over all accounts. */
  get total(): number {
    return [...this.#requests.values()].reduce((sum, count) => sum + count, 0);
  }

  #leave(id: string): void {
    const count = this.#requests.get(id) ?? 0;
    if (count <= 1) this.#requests.delete(id);
    else this.#requests.set(id, count - 1);
  }
}
