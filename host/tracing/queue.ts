import { overloaded } from '../errors/details.ts';
import type { MemoryBudget } from '../limits/memory-budget.ts';
import type { Release } from '../limits/release.ts';
import type { MemoryEstimate } from './memory-estimate.ts';

/** A job that waits or runs. */
interface Entry {
  estimate: MemoryEstimate;
  predictedMs: number;
  startedMs: number;
  release: Release;
  start(): void;
}

/** The assumed speed before the first measurement: a photograph on a slow core. */
const INITIAL_MS_PER_PIXEL = 2e-4;
/** Every job takes this long, even for the smallest image. */
const MIN_JOB_MS = 5;
/** Weight of the newest measurement in the moving average of the speed. */
const LEARNING_RATE = 0.1;

/**
 * Runs as many jobs as there are workers and memory; the others wait in order of arrival. A job whose predicted wait is
 * too long is rejected at once. The prediction is the total predicted time of all jobs before it.
 */
export class Queue {
  readonly #slots: number;
  readonly #memory: MemoryBudget;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Entry>();
  readonly #running = new Set<Entry>();
  #msPerPixel = INITIAL_MS_PER_PIXEL;

  constructor(slots: number, memory: MemoryBudget, maxWaitMs: number) {
    this.#slots = slots;
    this.#memory = memory;
    this.#maxWaitMs = maxWaitMs;
  }

  /** Number of waiting jobs. */
  get waiting(): number {
    return this.#waiting.size;
  }

  /** Number of running jobs. */
  get running(): number {
    return this.#running.size;
  }

  /** Waits for a slot and memory, then runs `job`. Throws `overloaded`, or the signal's reason if it aborts the wait. */
  async run<T>(estimate: MemoryEstimate, signal: AbortSignal, job: () => Promise<T>): Promise<T> {
    this.rejectIfBusy();
    const entry = await this.#waitForStart(estimate, signal);
    try {
      const result = await job();
      this.#learn(estimate.pixels, performance.now() - entry.startedMs);
      return result;
    } finally {
      this.#running.delete(entry);
      entry.release();
      this.#startWaiting();
    }
  }

  /** Throws `overloaded` if a job that arrived now would wait too long. */
  rejectIfBusy(): void {
    const waitMs = this.predictedWaitMs();
    if (waitMs > this.#maxWaitMs) throw overloaded(waitMs);
  }

  /** The predicted wait of a job that arrives now. */
  predictedWaitMs(): number {
    const now = performance.now();
    const remainingMs = ({ predictedMs, startedMs }: Entry) =>
      Math.max(MIN_JOB_MS, predictedMs - (now - startedMs));
    const runningMs = [...this.#running].reduce((sum, entry) => sum + remainingMs(entry), 0);
    const waitingMs = [...this.#waiting].reduce((sum, entry) => sum + entry.predictedMs, 0);
    const hasFreeSlot = this.#running.size < this.#slots && this.#waiting.size === 0;
    return hasFreeSlot ? 0 : (runningMs + waitingMs) / this.#slots;
  }

  /** Resolves when the job has a slot and its memory is reserved. */
  #waitForStart(estimate: MemoryEstimate, signal: AbortSignal): Promise<Entry> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        settle();
        reject(error);
        this.#startWaiting();
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(overloaded(this.#maxWaitMs)), this.#maxWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(entry);
      };
      const predictedMs = Math.max(MIN_JOB_MS, estimate.pixels * this.#msPerPixel);
      const start = () => {
        settle();
        resolve(entry);
      };
      const entry: Entry = { estimate, predictedMs, startedMs: 0, release: () => {}, start };
      if (signal.aborted) return leave(signal.reason);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(entry);
      this.#startWaiting();
    });
  }

  /** Starts waiting jobs, in order. A large image blocks those behind it, as otherwise small ones could starve it. */
  #startWaiting(): void {
    for (const entry of this.#waiting) {
      if (this.#running.size >= this.#slots) return;
      const release = this.#memory.reserve(entry.estimate.bytes);
      if (release === undefined) return;
      Object.assign(entry, { release, startedMs: performance.now() });
      this.#running.add(entry);
      entry.start();
    }
  }

  #learn(pixels: number, ms: number): void {
    if (ms > MIN_JOB_MS) this.#msPerPixel += LEARNING_RATE * (ms / pixels - this.#msPerPixel);
  }
}
