import { randomBytes } from 'node:crypto';
import type { Account } from '../auth/authenticate.ts';
import { concurrencyLimited, rateLimited } from '../errors/details.ts';
import {
  type Admission,
  type RequestLimiter,
  rateHeaders,
  secondsToNext,
  WINDOW_MS,
} from '../limits/admission.ts';
import { LocalLimiter } from '../limits/local-limiter.ts';
import { once } from '../limits/release.ts';
import { StoreUnavailable } from './breaker.ts';
import { Leases } from './leases.ts';
import { type AdmitReply, CONCURRENCY_LIMITED, DATA_LOST, NAMES, RATE_LIMITED } from './scripts.ts';
import type { Run, Store } from './store.ts';

interface SharedLimiterOptions {
  /** Number of processes that share the store. */
  processes: number;
  /** Milliseconds of a monotonic clock. */
  now?: () => number;
  /** Called for each request that is decided without the store. */
  onLocalDecision?: () => void;
}

/** A request that this process has admitted, by its account. */
interface OwnRequest {
  account: string;
  timeMs: number;
}

/** What counts for an account, as far as this process knows. */
interface KnownUse {
  count: number;
  /** Until then, none of these requests leaves the window. */
  untilMs: number;
}

const US_PER_MS = 1_000;
/** Requests in one call of a script, so that no call holds up the store for long. */
const BATCH = 500;

/**
 * Keeps accounts within their limits over all processes that share a store. While the store is out of reach, each process
 * grants its share of every limit, in which the requests count that it has admitted before, but no more than the store has
 * left over when it answered last; then it reports them to the store.
 */
export class SharedLimiter implements RequestLimiter {
  readonly #store: Store;
  readonly #processes: number;
  readonly #now: () => number;
  readonly #onLocalDecision: () => void;
  /** What this process has admitted, with the store or without. */
  readonly #own: LocalLimiter;
  readonly #leases: Leases;
  /** Requests have the id of their process and their time in it, which is unique. */
  readonly #process = randomBytes(8).toString('hex');
  /** The epoch of the store's data that has all requests of this process. */
  #epoch = '';
  /** The accounts of requests granted without the store, which it may not know, by their times, oldest first. */
  readonly #unreported = new Map<number, string>();
  /**
   * By account, those heard of longest ago first: what no longer holds goes when the store answers next. Answers that come too
   * late for their request count as well.
   */
  readonly #known = new Map<string, KnownUse>();

  private constructor(store: Store, { processes, now, onLocalDecision }: SharedLimiterOptions) {
    this.#store = store;
    this.#processes = processes;
    this.#now = uniqueTimes(now ?? (() => performance.now()));
    this.#onLocalDecision = onLocalDecision ?? (() => {});
    this.#own = new LocalLimiter(this.#now);
    this.#leases = new Leases(store);
  }

  static async create(store: Store, options: SharedLimiterOptions): Promise<SharedLimiter> {
    const limiter = new SharedLimiter(store, options);
    await store.addRecoveryStep((run) => limiter.#leases.restore(run));
    // Last, as it takes long, and includes what is admitted locally meanwhile.
    await store.addRecoveryStep((run) => limiter.#report(run));
    return limiter;
  }

  get inFlight(): number {
    return this.#own.inFlight;
  }

  /** Renews no leases any more. */
  close(): void {
    this.#leases.close();
  }

  async admit(account: Account): Promise<Admission> {
    const isUnlimited = [account.requestsPerMinute, account.maxConcurrent].every(
      (limit) => limit === Number.POSITIVE_INFINITY,
    );
    if (isUnlimited) return this.#own.admit(account);
    const timeMs = this.#now();
    try {
      return await this.#admitByStore(account, timeMs);
    } catch (error) {
      if (!(error instanceof StoreUnavailable)) throw error;
      return this.#admitLocally(account, timeMs, error.wasTried);
    }
  }

  async #admitByStore(account: Account, timeMs: number): Promise<Admission> {
    const { requestsPerMinute, maxConcurrent } = account;
    const id = this.#idOf(timeMs);
    this.#reportGranted();
    const [status, count, ageUs] = await this.#store.run(async (client) => {
      const answer = await client.admit(
        ...([NAMES.rate(account.id), NAMES.places(account.id), NAMES.epoch] as const),
        ...[id, this.#epoch, numberOf(requestsPerMinute), WINDOW_MS * US_PER_MS],
        ...[numberOf(maxConcurrent), this.#leases.leaseUs],
      );
      this.#learn(account, timeMs, answer);
      return answer;
    });
    if (status === DATA_LOST) {
      this.#store.reportDataLoss();
      throw new StoreUnavailable();
    }
    const use = { count, oldestAgeMs: ageUs / US_PER_MS };
    const headers = rateHeaders(account, use);
    if (status === CONCURRENCY_LIMITED) throw concurrencyLimited(maxConcurrent, headers);
    if (status === RATE_LIMITED)
      throw rateLimited(requestsPerMinute, WINDOW_MS / 1000, secondsToNext(use), headers);
    const own = this.#own.record(account, timeMs);
    const refund = () => {
      own.refund();
      return rateHeaders(account, { ...use, count: count - 1 });
    };
    return this.#tracked(account, timeMs, { headers, release: own.release, refund });
  }

  #admitLocally(account: Account, timeMs: number, wasTried: boolean): Admission {
    const id = this.#idOf(timeMs);
    this.#onLocalDecision();
    const share = (limit: number) => Math.max(1, Math.floor(limit / this.#processes));
    const shareOfAccount = {
      ...account,
      requestsPerMinute: share(account.requestsPerMinute),
      maxConcurrent: share(account.maxConcurrent),
    };
    try {
      const own = this.#own.admit(shareOfAccount, timeMs);
      if (account.requestsPerMinute !== Number.POSITIVE_INFINITY) this.#noteGrant(account, timeMs, own);
      return this.#tracked(account, timeMs, own);
    } catch (error) {
      // The store may count it after all.
      const keys = wasTried ? [NAMES.rate(account.id), NAMES.places(account.id)] : [];
      for (const key of keys) this.#leases.forget(key, id);
      throw error;
    }
  }

  /** Notes that the store does not know a request yet. Throws `rate_limited` if the rate is known to be used up. */
  #noteGrant(account: Account, timeMs: number, own: Admission): void {
    try {
      this.#checkKnownUse(account);
    } catch (error) {
      own.refund();
      own.release();
      throw error;
    }
    this.#count(account, 1);
    for (const sinceMs of this.#unreported.keys()) {
      if (sinceMs >= timeMs - WINDOW_MS) break;
      this.#unreported.delete(sinceMs);
    }
    this.#unreported.set(timeMs, account.id);
    // The store is in use again if it was lost and found while the request waited.
    if (this.#store.isAvailable) this.#reportGranted();
  }

  /** An admission of this process whose end the store learns as well. */
  #tracked(account: Account, timeMs: number, own: Admission): Admission {
    const id = this.#idOf(timeMs);
    const hasPlace = account.maxConcurrent !== Number.POSITIVE_INFINITY;
    const leave = hasPlace ? this.#leases.hold(NAMES.places(account.id), id) : () => {};
    const uncount = once(() => {
      this.#unreported.delete(timeMs);
      this.#leases.forget(NAMES.rate(account.id), id);
      this.#count(account, -1);
    });
    return {
      headers: own.headers,
      release: once(() => {
        own.release();
        leave();
      }),
      refund: () => {
        if (account.requestsPerMinute !== Number.POSITIVE_INFINITY) uncount();
        return own.refund();
      },
    };
  }

  /** Remembers what the store has answered, however late. */
  #learn(account: Account, askedMs: number, [status, count, ageUs]: AdmitReply): void {
    if (status === DATA_LOST || account.requestsPerMinute === Number.POSITIVE_INFINITY) return;
    const nowMs = this.#now();
    for (const [id, { untilMs }] of this.#known) {
      if (untilMs > nowMs) break;
      this.#known.delete(id);
    }
    this.#known.delete(account.id);
    this.#known.set(account.id, { count, untilMs: askedMs + WINDOW_MS - ageUs / US_PER_MS });
  }

  /** Counts a request that the store does not know yet, or takes it out. */
  #count(account: Account, change: number): void {
    const known = this.#known.get(account.id);
    if (known !== undefined) known.count += change;
  }

  /** Throws `rate_limited` if the account has used up its rate, as far as is known. */
  #checkKnownUse(account: Account): void {
    const known = this.#known.get(account.id);
    if (known === undefined) return;
    const leftMs = known.untilMs - this.#now();
    if (leftMs <= 0) this.#known.delete(account.id);
    if (leftMs <= 0 || known.count < account.requestsPerMinute) return;
    const use = { count: known.count, oldestAgeMs: WINDOW_MS - leftMs };
    const headers = rateHeaders(account, use);
    throw rateLimited(account.requestsPerMinute, WINDOW_MS / 1000, secondsToNext(use), headers);
  }

  /** Tells the store which requests of this process count; those it knows already stay as they are. */
  async #report(run: Run): Promise<void> {
    let requests = this.#ownRequests();
    this.#unreported.clear();
    do {
      // Once even if there is nothing to report, for the epoch; and again for what is granted locally meanwhile.
      for (let from = 0; from === 0 || from < requests.length; from += BATCH)
        this.#epoch = await this.#reportBatch(run, requests.slice(from, from + BATCH));
      requests = this.#takeUnreported();
    } while (requests.length > 0);
  }

  #ownRequests(): OwnRequest[] {
    return Array.from(this.#own.recentTimes(), ([account, times]) =>
      times.map((timeMs) => ({ account, timeMs })),
    ).flat();
  }

  /** Reports what was granted locally while the store was coming back: before anything that is sent after this. */
  #reportGranted(): void {
    if (this.#unreported.size === 0) return;
    const requests = this.#takeUnreported();
    this.#reportBatch((operation) => this.#store.run(operation), requests).catch(() => {
      for (const { account, timeMs } of requests) this.#unreported.set(timeMs, account);
    });
  }

  #takeUnreported(): OwnRequest[] {
    const requests = Array.from(this.#unreported, ([timeMs, account]) => ({ account, timeMs }));
    this.#unreported.clear();
    return requests;
  }

  #reportBatch(run: Run, requests: readonly OwnRequest[]): Promise<string> {
    const nowMs = this.#now();
    const keys = [NAMES.epoch, ...requests.map(({ account }) => NAMES.rate(account))];
    const ages = requests.flatMap(({ timeMs }) => [
      this.#idOf(timeMs),
      Math.round((nowMs - timeMs) * US_PER_MS),
    ]);
    return run((client) => client.report(keys.length, ...keys, WINDOW_MS * US_PER_MS, ...ages));
  }

  #idOf(timeMs: number): string {
    return `${this.#process}:${timeMs}`;
  }
}

/** A limit as the scripts expect it. */
const numberOf = (limit: number) => (limit === Number.POSITIVE_INFINITY ? 0 : limit);

/** A clock that never shows the same time twice. */
function uniqueTimes(now: () => number): () => number {
  const STEP_MS = 0.001;
  let last = 0;
  return () => {
    last = Math.max(now(), last + STEP_MS);
    return last;
  };
}
