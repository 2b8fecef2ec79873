import { once, type Release } from './release.ts';

/** A number of bytes shared by all requests. */
export class Budget {
  readonly #total: number;
  #used = 0;

  constructor(total: number) {
    this.#total = total;
  }

  /** Takes bytes if they are there. More than the whole budget is taken as the whole: alone, anything may pass. */
  take(bytes: number): Release | undefined {
    const charge = Math.min(bytes, this.#total);
    if (this.#used + charge > this.#total) return undefined;
    this.#used += charge;
    return once(() => {
      this.#used -= charge;
    });
  }

  get used(): number {
    return this.#used;
  }
}
