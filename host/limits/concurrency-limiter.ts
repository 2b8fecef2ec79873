import type { Account } from '../auth/authenticate.ts';
import { Problem } from '../errors/problem.ts';
import { once, type Release } from './release.ts';

/** How many requests each account has under way. */
export class Concurrency {
  readonly #underWay = new Map<string, number>();

  /** Takes one place, or throws `concurrency_limited`. */
  enter(account: Account): Release {
    const count = this.#underWay.get(account.id) ?? 0;
    if (count >= account.atOnce) {
      const detail = `At most ${account.atOnce} requests at once; wait for one to finish.`;
      throw new Problem('concurrency_limited', detail, { headers: { 'Retry-After': '1' } });
    }
    this.#underWay.set(account.id, count + 1);
    return once(() => this.#leave(account.id));
  }

  get total(): number {
    return [...this.#underWay.values()].reduce((sum, count) => sum + count, 0);
  }

  #leave(id: string): void {
    const count = this.#underWay.get(id) ?? 0;
    if (count <= 1) this.#underWay.delete(id);
    else this.#underWay.set(id, count - 1);
  }
}
