import { overloaded } from '../errors/details.ts';
import type { MemoryBudget } from '../limits/memory-budget.ts';
import { FairShare } from './fair-share.ts';
import { type Entry, Lane } from './lane.ts';

/** What is known about a job before it runs. */
export interface JobEstimate {
  account: string;
  /** The memory that it needs. */
  bytes: number;
  predictedMs: number;
  /** Decides whether it is small. */
  predictedCpuMs: number;
  /** It was stopped as it took more than its first grant: it has waited already, and is not small. */
  isRetry?: boolean;
}

/** What a job may take. */
export interface Grant {
  bytes: number;
  cpuMs: number;
}

export interface QueueOptions {
  /** The number of threads that trace large images. */
  workers: number;
  /** Further threads, for small images only; the system shares the CPUs between all threads. */
  smallWorkers: number;
  /** For what the threads do not keep anyway. */
  memory: MemoryBudget;
  /** What each thread keeps. A job that needs no more never waits for memory. */
  keptBytes: number;
  maxWaitMs: number;
  /** The CPU time that a trace may take. */
  maxCpuMs: number;
}

/**
 * A job predicted to take no more CPU time is small, if the memory that its thread keeps is enough. Elapsed time would not
 * do: large jobs of others lengthen it, and a small job would then wait for them.
 */
const SMALL_CPU_MS = 100;
/** A small job that takes more is stopped and runs again as a large one. */
const MAX_SMALL_CPU_MS = 250;
/** Every job takes this long, even for the smallest image. */
const MIN_JOB_MS = 5;

/**
 * Runs as many jobs as there are threads and memory. Accounts take turns by the work that they cause; the jobs of one account
 * run in order of arrival, except that small jobs do not wait for large ones. A job whose predicted wait is too long is
 * rejected at once.
 */
export class Queue {
  readonly #options: QueueOptions;
  readonly #shares = new FairShare();
  readonly #small = new Lane(this.#shares);
  readonly #large = new Lane(this.#shares);
  readonly #running = new Set<Entry>();
  readonly #now: () => number;

  /** `now` returns milliseconds of a monotonic clock. */
  constructor(options: QueueOptions, now: () => number = () => performance.now()) {
    this.#options = options;
    this.#now = now;
  }

  /** Number of waiting jobs. */
  get waiting(): number {
    return this.#small.size + this.#large.size;
  }

  /** Number of running jobs. */
  get running(): number {
    return this.#running.size;
  }

  /** The most that a job gets. */
  get maxGrant(): Grant {
    const { memory, keptBytes, maxCpuMs } = this.#options;
    return { bytes: memory.totalBytes + keptBytes, cpuMs: maxCpuMs };
  }

  /** Waits for a thread and memory, then runs `job`. Throws `overloaded`, or the signal's reason if it aborts the wait. */
  async run<T>(estimate: JobEstimate, signal: AbortSignal, job: (grant: Grant) => Promise<T>): Promise<T> {
    const entry = this.#entryOf(estimate);
    if (!estimate.isRetry) this.#rejectIfLong(this.predictedWaitMs(entry));
    const release = await this.#waitForStart(entry, signal);
    try {
      return await job(this.#grantOf(entry));
    } finally {
      release();
      this.#shares.correct(entry.account, this.#now() - entry.startedMs - entry.predictedMs);
      this.#startWaiting();
    }
  }

  /** Throws `overloaded` if the account's jobs fill the queue, or if even a small one would wait too long. */
  rejectIfBusy(account: string): void {
    const own = this.#small.backlogMs(account) + this.#large.backlogMs(account);
    this.#rejectIfLong(Math.max(own, this.predictedWaitMs({ account, isSmall: true, chargedBytes: 0 })));
  }

  /** The predicted wait of a job that arrives now: the time of all running jobs, and of waiting ones that start before it. */
  predictedWaitMs({ account, isSmall, chargedBytes }: Pick<Entry, 'account' | 'isSmall' | 'chargedBytes'>) {
    const lanes = isSmall ? [this.#small] : [this.#small, this.#large];
    const aheadMs = lanes.reduce((sum, lane) => sum + lane.aheadMs(account), 0);
    if (aheadMs === 0 && this.#hasRoomFor(isSmall, chargedBytes)) return 0;
    // A small job does not wait for large ones: a thread is left for it.
    const blocking = [...this.#running].filter((entry) => entry.isSmall || !isSmall);
    const now = this.#now();
    return blocking.reduce((sum, { startedMs, predictedMs, blockingMs }) => {
      const remainingShare = 1 - (now - startedMs) / predictedMs;
      return sum + Math.max(MIN_JOB_MS / this.#options.workers, blockingMs * remainingShare);
    }, aheadMs);
  }

  #rejectIfLong(waitMs: number): void {
    if (waitMs > this.#options.maxWaitMs) throw overloaded(waitMs);
  }

  #entryOf({ account, bytes, predictedMs, predictedCpuMs, isRetry = false }: JobEstimate): Entry {
    const { workers, smallWorkers, keptBytes, memory } = this.#options;
    const isSmall = smallWorkers > 0 && !isRetry && bytes <= keptBytes && predictedCpuMs <= SMALL_CPU_MS;
    const chargedBytes = Math.min(Math.max(0, bytes - keptBytes), memory.totalBytes);
    const share = Math.max(1 / workers, chargedBytes / memory.totalBytes);
    const ms = Math.max(MIN_JOB_MS, predictedMs);
    return {
      ...{ account, isSmall, chargedBytes, predictedMs: ms, blockingMs: ms * share },
      ...{ startedMs: 0, start: () => {} },
    };
  }

  #grantOf({ isSmall, chargedBytes }: Entry): Grant {
    const { keptBytes, maxCpuMs } = this.#options;
    return {
      bytes: chargedBytes + keptBytes,
      cpuMs: isSmall ? Math.min(MAX_SMALL_CPU_MS, maxCpuMs) : maxCpuMs,
    };
  }

  /** Resolves when the job has a thread and its memory is reserved; the result gives both back. */
  #waitForStart(entry: Entry, signal: AbortSignal): Promise<() => void> {
    const { maxWaitMs, memory } = this.#options;
    const lane = entry.isSmall ? this.#small : this.#large;
    return new Promise((resolve, reject) => {
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        lane.remove(entry);
      };
      const leave = (error: unknown) => {
        settle();
        reject(error);
        this.#startWaiting();
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(overloaded(maxWaitMs)), maxWaitMs);
      entry.start = () => {
        settle();
        const reservation = memory.reserve(entry.chargedBytes);
        this.#running.add(entry);
        resolve(() => {
          reservation?.release();
          this.#running.delete(entry);
        });
      };
      if (signal.aborted) return onAbort();
      signal.addEventListener('abort', onAbort);
      lane.add(entry);
      this.#startWaiting();
    });
  }

  #startWaiting(): void {
    for (let entry = this.#next(); entry !== undefined; entry = this.#next()) {
      entry.startedMs = this.#now();
      this.#shares.start(entry.account, entry.predictedMs);
      entry.start();
    }
  }

  /**
   * The job that starts now. While the next large job waits for memory, no other large one passes it, as otherwise they
   * could starve it; small ones need none.
   */
  #next(): Entry | undefined {
    const candidates = [this.#small.first(), this.#large.first()].filter((entry) => entry !== undefined);
    candidates.sort((a, b) => this.#shares.clockMs(a.account) - this.#shares.clockMs(b.account));
    return candidates.find(({ isSmall, chargedBytes }) => this.#hasRoomFor(isSmall, chargedBytes));
  }

  #hasRoomFor(isSmall: boolean, chargedBytes: number): boolean {
    const { workers, smallWorkers, memory } = this.#options;
    if (this.#running.size >= workers + smallWorkers) return false;
    if (isSmall) return true;
    const large = [...this.#running].filter((entry) => !entry.isSmall).length;
    return large < workers && memory.canReserve(chargedBytes);
  }
}
