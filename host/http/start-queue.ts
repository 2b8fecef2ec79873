/** Time for starting requests in each turn of the event loop. Short, as node:http accepts one connection in each turn. */
const BUDGET_MS = 1;

/**
 * Starts requests, as many in each turn of the event loop as fit into a time budget. When thousands arrive at once, new
 * connections, health checks and the results of workers are handled in between.
 */
export class StartQueue {
  readonly #first: (() => void)[] = [];
  readonly #others: (() => void)[] = [];
  #isScheduled = false;

  /** Calls `start` in this turn of the event loop or a later one; actions that are `urgent` go first. */
  add(start: () => void, { urgent }: { urgent: boolean }): void {
    (urgent ? this.#first : this.#others).push(start);
    this.#schedule();
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(() => this.#run());
  }

  #run(): void {
    this.#isScheduled = false;
    const endMs = performance.now() + BUDGET_MS;
    for (const queue of [this.#first, this.#others]) {
      let count = 0;
      while (count < queue.length && (count === 0 || performance.now() < endMs)) queue[count++]?.();
      queue.splice(0, count);
    }
    if (this.#first.length + this.#others.length > 0) this.#schedule();
  }
}
