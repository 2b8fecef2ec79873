import type { FairShare } from './fair-share.ts';

/** A job that waits or runs. */
export interface Entry {
  account: string;
  isSmall: boolean;
  predictedMs: number;
  /** How long the job keeps the next one waiting: less than it takes, if others can run beside it. */
  blockingMs: number;
  chargedBytes: number;
  startedMs: number;
  start(): void;
}

/** The waiting jobs of one account, in order of arrival. */
interface Backlog {
  entries: Set<Entry>;
  /** The sum of their blocking times. */
  blockingMs: number;
}

/** Waiting jobs, by account. */
export class Lane {
  readonly #backlogs = new Map<string, Backlog>();
  readonly #shares: FairShare;
  #size = 0;

  constructor(shares: FairShare) {
    this.#shares = shares;
  }

  get size(): number {
    return this.#size;
  }

  add(entry: Entry): void {
    const backlog = this.#backlogs.get(entry.account) ?? { entries: new Set(), blockingMs: 0 };
    this.#backlogs.set(entry.account, backlog);
    backlog.entries.add(entry);
    backlog.blockingMs += entry.blockingMs;
    this.#size++;
  }

  /** Removes a job if it is here. */
  remove(entry: Entry): void {
    const backlog = this.#backlogs.get(entry.account);
    if (!backlog?.entries.delete(entry)) return;
    backlog.blockingMs -= entry.blockingMs;
    if (backlog.entries.size === 0) this.#backlogs.delete(entry.account);
    this.#size--;
  }

  /** The oldest job of the account that goes next. */
  first(): Entry | undefined {
    let first: Entry | undefined;
    for (const [account, { entries }] of this.#backlogs) {
      if (first !== undefined && this.#clockMs(first.account) <= this.#clockMs(account)) continue;
      [first] = entries;
    }
    return first;
  }

  /** The blocking times of an account's own jobs. */
  backlogMs(account: string): number {
    return this.#backlogs.get(account)?.blockingMs ?? 0;
  }

  /** The blocking times of all jobs that start before a new one of `account`. */
  aheadMs(account: string): number {
    const own = this.backlogMs(account);
    const turnMs = this.#clockMs(account) + own;
    let sum = own;
    for (const [other, { blockingMs }] of this.#backlogs)
      if (other !== account) sum += Math.min(blockingMs, Math.max(0, turnMs - this.#clockMs(other)));
    return sum;
  }

  #clockMs(account: string): number {
    return this.#shares.clockMs(account);
  }
}
