import { once, type Release } from '../limits/release.ts';

/** The shutdown state of the service, and the requests in flight. */
export class Readiness {
  #state: 'open' | 'draining' | 'closed' = 'open';
  #requestsInFlight = 0;
  #onIdle = () => {};
  readonly #isComplete: () => boolean;

  /** `isComplete` tells whether everything works that the service can do without. */
  constructor(isComplete: () => boolean = () => true) {
    this.#isComplete = isComplete;
  }

  /** Ready, but something is out of reach that the service can do without. */
  get isDegraded(): boolean {
    return this.isReady && !this.#isComplete();
  }

  /** Whether load balancers should send requests. */
  get isReady(): boolean {
    return this.#state === 'open';
  }

  get acceptsRequests(): boolean {
    return this.#state !== 'closed';
  }

  /** Reports the service as not ready, but still accepts requests. */
  startDraining(): void {
    this.#state = 'draining';
  }

  /** Stops accepting requests. Resolves when none is in flight. */
  close(): Promise<void> {
    this.#state = 'closed';
    return new Promise((resolve) => {
      if (this.#requestsInFlight === 0) resolve();
      else this.#onIdle = resolve;
    });
  }

  /** Counts a request as in flight until its release. */
  enter(): Release {
    this.#requestsInFlight++;
    return once(() => {
      this.#requestsInFlight--;
      if (this.#requestsInFlight === 0) this.#onIdle();
    });
  }
}
