import { Problem } from '../errors/problem.ts';
import type { Budget } from '../limits/memory-budget.ts';
import type { Release } from '../limits/release.ts';
import type { Need } from './memory-estimate.ts';

/** One piece of work, waiting and then running. */
interface Ticket {
  need: Need;
  predictedMs: number;
  startedMs: number;
  release: Release;
  start(): void;
}

/** The first guess of the time per pixel, until real work has been seen: a photograph on a slow core. */
const FIRST_MS_PER_PIXEL = 2e-4;
/** Small pictures cost this much however small they are. */
const LEAST_MS = 5;
/** Weight of the newest measurement. */
const LEARNING_RATE = 0.1;

/**
 * Lets as much work run as there are workers and memory; the rest waits in order of arrival. Whoever would wait too
 * long is refused at once, by the predicted time of all work before it.
 */
export class Queue {
  readonly #slots: number;
  readonly #memory: Budget;
  readonly #maxWaitMs: number;
  readonly #waiting = new Set<Ticket>();
  readonly #running = new Set<Ticket>();
  #msPerPixel = FIRST_MS_PER_PIXEL;

  constructor(slots: number, memory: Budget, maxWaitMs: number) {
    this.#slots = slots;
    this.#memory = memory;
    this.#maxWaitMs = maxWaitMs;
  }

  get waiting(): number {
    return this.#waiting.size;
  }

  get running(): number {
    return this.#running.size;
  }

  /** Runs `work` when its turn comes. Throws `overloaded`, or the signal's reason when it aborts before that. */
  async run<T>(need: Need, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    this.refuseIfBusy();
    const ticket = await this.#turn(need, signal);
    try {
      const result = await work();
      this.#learn(need.pixels, performance.now() - ticket.startedMs);
      return result;
    } finally {
      this.#running.delete(ticket);
      ticket.release();
      this.#admit();
    }
  }

  /** Throws `overloaded` when whoever came now would wait too long. */
  refuseIfBusy(): void {
    const waitMs = this.predictedWaitMs();
    if (waitMs > this.#maxWaitMs) throw overloaded(waitMs);
  }

  predictedWaitMs(): number {
    const now = performance.now();
    const left = ({ predictedMs, startedMs }: Ticket) => Math.max(LEAST_MS, predictedMs - (now - startedMs));
    const running = [...this.#running].reduce((sum, one) => sum + left(one), 0);
    const waiting = [...this.#waiting].reduce((sum, one) => sum + one.predictedMs, 0);
    const isFree = this.#running.size < this.#slots && this.#waiting.size === 0;
    return isFree ? 0 : (running + waiting) / this.#slots;
  }

  /** Waits in line; resolves when the ticket runs and holds its memory. */
  #turn(need: Need, signal: AbortSignal): Promise<Ticket> {
    return new Promise((resolve, reject) => {
      const leave = (error: unknown) => {
        settle();
        reject(error);
        this.#admit();
      };
      const onAbort = () => leave(signal.reason);
      const timer = setTimeout(() => leave(overloaded(this.#maxWaitMs)), this.#maxWaitMs);
      const settle = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
        this.#waiting.delete(ticket);
      };
      const predictedMs = Math.max(LEAST_MS, need.pixels * this.#msPerPixel);
      const start = () => {
        settle();
        resolve(ticket);
      };
      const ticket: Ticket = { need, predictedMs, startedMs: 0, release: () => {}, start };
      if (signal.aborted) return leave(signal.reason);
      signal.addEventListener('abort', onAbort);
      this.#waiting.add(ticket);
      this.#admit();
    });
  }

  /** Starts the first in line while there is room. A large picture holds up those behind it, or it would starve. */
  #admit(): void {
    for (const ticket of this.#waiting) {
      if (this.#running.size >= this.#slots) return;
      const release = this.#memory.take(ticket.need.bytes);
      if (release === undefined) return;
      Object.assign(ticket, { release, startedMs: performance.now() });
      this.#running.add(ticket);
      ticket.start();
    }
  }

  #learn(pixels: number, ms: number): void {
    if (ms > LEAST_MS) this.#msPerPixel += LEARNING_RATE * (ms / pixels - this.#msPerPixel);
  }
}

/** Refuses work that may well be done later. */
export function overloaded(waitMs: number): Problem {
  const retryS = Math.max(1, Math.ceil(waitMs / 1000));
  const detail = 'The service has more work than it can do soon. Try again later.';
  return new Problem('overloaded', detail, { headers: { 'Retry-After': String(retryS) } });
}
