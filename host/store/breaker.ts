import { setTimeout as sleep } from 'node:timers/promises';
import { inTime } from './time-limit.ts';

/** The store did not answer in time, could not carry out the command, or is known not to. */
export class StoreUnavailable extends Error {
  /** Whether the operation was tried: the store may have carried it out, or may do so later. */
  readonly wasTried: boolean;

  constructor(cause?: unknown) {
    super('the store is out of reach', { cause });
    this.wasTried = cause !== undefined;
  }
}

interface BreakerOptions {
  /** Longest time for one operation. */
  timeoutMs: number;
  /** Pause between two attempts to recover. */
  probeIntervalMs: number;
  /** Rejects while the store cannot be used; makes it usable again. */
  recover: () => Promise<void>;
  onOpen: (error: unknown) => void;
  onClose: () => void;
}

/**
 * Runs operations of a service that may fail. After the first failure, operations fail at once until the service has
 * recovered, which is tried in the background: a request loses at most one time limit.
 */
export class Breaker {
  readonly #options: BreakerOptions;
  #isOpen = false;
  #isStopped = false;
  /** Counts the closings: an operation that began before one says nothing about the time after it. */
  #generation = 0;

  constructor(options: BreakerOptions) {
    this.#options = options;
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  /** Resolves with the result of an operation, or rejects with `StoreUnavailable`. */
  async run<T>(operation: () => Promise<T>): Promise<T> {
    if (this.#isOpen) throw new StoreUnavailable();
    const generation = this.#generation;
    try {
      return await inTime(operation(), this.#options.timeoutMs);
    } catch (error) {
      if (generation === this.#generation) this.open(error);
      throw new StoreUnavailable(error);
    }
  }

  /** Lets operations fail until the service has recovered. The first attempt starts at once. */
  open(error: unknown): void {
    if (this.#isOpen || this.#isStopped) return;
    this.#isOpen = true;
    this.#options.onOpen(error);
    void this.#recover();
  }

  /** Ends the attempts to recover. */
  stop(): void {
    this.#isStopped = true;
  }

  async #recover(): Promise<void> {
    while (!this.#isStopped) {
      try {
        await this.#options.recover();
        if (this.#isStopped) return;
        this.#generation++;
        this.#isOpen = false;
        this.#options.onClose();
        return;
      } catch {
        await sleep(this.#options.probeIntervalMs, undefined, { ref: false });
      }
    }
  }
}
