import { once, type Release } from '../limits/release.ts';

/** What the service can do without, once it has been there. */
interface Part {
  readonly hasBeenReached: boolean;
  readonly isComplete: boolean;
}

/** Whether the service should get requests, and how many are in flight. */
export class Readiness {
  #state: 'open' | 'draining' | 'closed' = 'open';
  #requestsInFlight = 0;
  #onIdle = () => {};
  readonly #part: Part;

  constructor(part: Part = { hasBeenReached: true, isComplete: true }) {
    this.#part = part;
  }

  /** Ready, but something is out of reach that the service can do without. */
  get isDegraded(): boolean {
    return this.isReady && !this.#part.isComplete;
  }

  /** Whether load balancers should send requests. */
  get isReady(): boolean {
    return !this.isShuttingDown && this.#part.hasBeenReached;
  }

  get isShuttingDown(): boolean {
    return this.#state !== 'open';
  }

  get acceptsRequests(): boolean {
    return this.#state !== 'closed';
  }

  /** Whether no request is in flight. */
  get isIdle(): boolean {
    return this.#requestsInFlight === 0;
  }

  /** Reports the service as not ready, but still accepts requests. */
  startDraining(): void {
    this.#state = 'draining';
  }

  /** Stops accepting requests. Resolves when none is in flight. */
  close(): Promise<void> {
    this.#state = 'closed';
    return new Promise((resolve) => {
      if (this.isIdle) resolve();
      else this.#onIdle = resolve;
    });
  }

  /** Counts a request as in flight until its release. */
  enter(): Release {
    this.#requestsInFlight++;
    return once(() => {
      this.#requestsInFlight--;
      if (this.isIdle) this.#onIdle();
    });
  }
}
