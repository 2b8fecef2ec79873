import { once, type Release } from '../limits/release.ts';

/** Whether the service takes work, and the work it has taken and not answered yet. */
export class Door {
  #state: 'open' | 'closing' | 'closed' = 'open';
  #inside = 0;
  #empty = () => {};

  /** Whether new callers should be sent here. */
  get isReady(): boolean {
    return this.#state === 'open';
  }

  get takesWork(): boolean {
    return this.#state !== 'closed';
  }

  /** Asks for no more callers, but serves those who come. */
  announceClosing(): void {
    this.#state = 'closing';
  }

  /** Takes no more work; resolves when all that was taken has its answer. */
  close(): Promise<void> {
    this.#state = 'closed';
    return new Promise((resolve) => {
      if (this.#inside === 0) resolve();
      else this.#empty = resolve;
    });
  }

  /** Takes work, until its release. */
  enter(): Release {
    this.#inside++;
    return once(() => {
      this.#inside--;
      if (this.#inside === 0) this.#empty();
    });
  }
}
