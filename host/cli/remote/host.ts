import type { Failure } from '../failure.ts';
import type { RequestFailed } from './send-image.ts';

/** How long a host is left out after its first fault; doubled with each further one. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 30_000;
/** Delays are prolonged by up to this share, so that clients that were refused together do not return together. */
const JITTER = 0.25;
/** After a host has refused a concurrent request, more are not tried for this long. */
const CONCURRENCY_KNOWN_MS = 10_000;
/** A host without any response for this long is lost, unless it has another chance while other hosts work. */
const LOST_AFTER_MS = 60_000;

/** One host: how many requests it gets at the same time, and when it gets the next. */
export class Host {
  readonly url: string;
  readonly #maxInFlight: number;
  #inFlight = 0;
  /** How many requests at the same time the host has accepted lately. Not whole: it grows by a part per success. */
  #limit: number;
  #limitKnownUntilMs = 0;
  #pausedUntilMs = 0;
  #faults = 0;
  #faultySinceMs = Number.POSITIVE_INFINITY;
  #isUnusable = false;
  #lastFailure: Failure | undefined;

  constructor(url: string, maxInFlight: number) {
    this.url = url;
    this.#maxInFlight = maxInFlight;
    this.#limit = maxInFlight;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** Why the last failed request failed. */
  get lastFailure(): Failure | undefined {
    return this.#lastFailure;
  }

  /** When the host may get its next request, apart from those in flight; infinite if never. */
  get pausedUntilMs(): number {
    return this.#isUnusable ? Number.POSITIVE_INFINITY : this.#pausedUntilMs;
  }

  hasRoom(nowMs: number): boolean {
    return nowMs >= this.pausedUntilMs && this.#inFlight < Math.floor(this.#limit);
  }

  /** No response for a long time. */
  isLost(nowMs: number): boolean {
    return this.#isUnusable || nowMs - this.#faultySinceMs >= LOST_AFTER_MS;
  }

  begin(): void {
    this.#inFlight++;
  }

  /** A request got its SVG. */
  succeeded(nowMs: number): void {
    this.#inFlight--;
    this.#responded();
    if (nowMs >= this.#limitKnownUntilMs)
      this.#limit = Math.min(this.#maxInFlight, this.#limit + 1 / this.#limit);
  }

  /** A request failed. */
  failed({ verdict, failure, retryAfterMs }: RequestFailed, nowMs: number): void {
    this.#inFlight--;
    this.#lastFailure = failure;
    if (failure.status !== undefined && verdict !== 'fault') this.#responded();
    switch (verdict) {
      case 'host':
        this.#isUnusable = true;
        return;
      case 'concurrency':
        this.#lowerLimit(nowMs);
        // Otherwise each response to a request in flight makes room for another one.
        if (this.#inFlight === 0) this.#pause(retryAfterMs, nowMs);
        return;
      case 'later':
        this.#pause(retryAfterMs, nowMs);
        return;
      case 'fault':
        this.#afterFault(nowMs);
    }
  }

  #responded(): void {
    this.#faults = 0;
    this.#faultySinceMs = Number.POSITIVE_INFINITY;
  }

  #lowerLimit(nowMs: number): void {
    this.#limit = Math.max(1, Math.min(this.#limit, this.#inFlight));
    this.#limitKnownUntilMs = nowMs + CONCURRENCY_KNOWN_MS;
  }

  /** Requests that break together count as one fault. The next request is sent alone, to find out. */
  #afterFault(nowMs: number): void {
    this.#limit = 1;
    if (nowMs < this.#pausedUntilMs) return;
    this.#faultySinceMs = Math.min(this.#faultySinceMs, nowMs);
    this.#pause(Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** this.#faults++), nowMs);
  }

  #pause(delayMs = FIRST_PAUSE_MS, nowMs: number): void {
    const untilMs = nowMs + delayMs * (1 + JITTER * Math.random());
    this.#pausedUntilMs = Math.max(this.#pausedUntilMs, untilMs);
  }
}
