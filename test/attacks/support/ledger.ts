import { type ExchangeOptions, exchange, type Outcome } from './client.ts';

/**
 * At the limit of connections, the service closes one that has been silent for a second. A request that is sent at that moment gets
 * no answer; clients of HTTP repeat it. (A little less than a second, as the clocks of both sides start at different moments.)
 */
const SILENT_MS = 900;
const MAX_TRIES = 2;

/** What an attack may lead to. */
export interface Expected {
  /** Statuses beside 200, those of the client's errors and 503. */
  statuses?: readonly number[];
  /** The service may close the connection without an answer to each request. */
  mayClose?: boolean;
}

/** The requests of a kind of attack, by how they ended. */
export class Count {
  sent = 0;
  closedByClient = 0;
  closedByService = 0;
  readonly answered = new Map<number, number>();

  get answers(): number {
    return [...this.answered.values()].reduce((total, n) => total + n, 0);
  }
}

/** Every request of a run, and what was wrong. */
export class Ledger {
  readonly counts = new Map<string, Count>();
  readonly wrong = new Map<string, number>();
  /** Connections that the service closed without an answer although the attack is no reason. */
  unexpectedlyClosed = 0;
  /** Those of them whose request was sent at once: they were never idle. */
  closedInUse = 0;

  /** Sends like `exchange`, and counts. */
  sender(attack: string, expected: Expected = {}): typeof exchange {
    return (port, bytes, options: ExchangeOptions = {}) =>
      this.send(attack, () => exchange(port, bytes, options), { ...expected, requests: options.requests });
  }

  /** Sends by `send`, again if the service has closed the connection, and counts. */
  async send(
    attack: string,
    send: () => Promise<Outcome>,
    { requests = 1, ...expected }: Expected & { requests?: number | undefined } = {},
  ): Promise<Outcome> {
    for (let tries = 1; ; tries++) {
      this.#count(attack).sent += requests;
      const outcome = await send();
      this.#record(attack, requests, outcome, expected);
      const wasClosed =
        outcome.end === 'server' && outcome.answers.length === 0 && expected.mayClose !== true;
      if (!wasClosed || tries === MAX_TRIES) return outcome;
    }
  }

  /** Counts a request that was sent by other means. `status` is undefined if we closed the connection. */
  add(attack: string, status: number | undefined, expected: Expected = {}): void {
    this.#count(attack).sent++;
    const answers = status === undefined ? [] : [{ status, headers: {}, text: '' }];
    const end = status === undefined ? 'client' : 'complete';
    this.#record(attack, 1, { answers, end, silentMs: 0 }, expected);
  }

  /** Notes what must not happen. */
  fault(what: string): void {
    this.wrong.set(what, (this.wrong.get(what) ?? 0) + 1);
  }

  total(read: (count: Count) => number): number {
    return [...this.counts.values()].reduce((sum, count) => sum + read(count), 0);
  }

  #count(attack: string): Count {
    const count = this.counts.get(attack) ?? new Count();
    this.counts.set(attack, count);
    return count;
  }

  #record(attack: string, requests: number, outcome: Outcome, expected: Expected): void {
    const { answers, end } = outcome;
    const count = this.#count(attack);
    for (const { status, text } of answers) {
      count.answered.set(status, (count.answered.get(status) ?? 0) + 1);
      const isExpected = status < 500 || status === 503 || expected.statuses?.includes(status);
      if (!isExpected) this.fault(`${attack}: answered ${status} ${/"code":"(\w+)"/.exec(text)?.[1] ?? ''}`);
    }
    const missing = Math.max(0, requests - answers.length);
    if (missing === 0) return;
    if (end === 'client') count.closedByClient += missing;
    else count.closedByService += missing;
    this.#judge(attack, outcome, expected);
  }

  #judge(attack: string, { end, silentMs }: Outcome, { mayClose }: Expected): void {
    if (end === 'deadline') this.fault(`${attack}: neither an answer nor an end`);
    else if (end === 'invalid') this.fault(`${attack}: the answer is no HTTP`);
    else if (end === 'server' && mayClose !== true) {
      this.unexpectedlyClosed++;
      if (silentMs < SILENT_MS) this.closedInUse++;
    }
  }
}
