import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asProblem, PROBLEM_TYPE, problemBody } from '../errors/problem.ts';
import type { Release } from '../limits/release.ts';
import { describe, type LogFields, log } from '../observability/log.ts';
import type { Metrics } from '../observability/metrics.ts';
import { type Answer, send } from './send-response.ts';

const CALLERS_ID = /^[\w-]{1,64}$/;

/** The reason of the signal of a caller that closed the connection before it had an answer. */
export class CallerGone extends Error {}

/** One request and its answer. */
export class Exchange {
  readonly request: IncomingMessage;
  readonly id: string;
  /** Aborted when the caller goes away. */
  readonly gone: AbortSignal;
  /** Added to the line in the log. */
  readonly fields: LogFields = {};
  readonly #response: ServerResponse;
  readonly #headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  readonly #releases: Release[] = [];
  readonly #closings: Release[] = [];
  #giveBack: Release = () => {};
  #answered = false;

  constructor(request: IncomingMessage, response: ServerResponse, metrics: Metrics) {
    this.request = request;
    this.#response = response;
    const given = request.headersDistinct['x-request-id'];
    this.id = given?.length === 1 && CALLERS_ID.test(given[0] ?? '') ? String(given[0]) : randomUUID();
    this.addHeaders({ 'X-Request-Id': this.id });
    this.gone = this.#watch(performance.now(), metrics.began(request.method));
  }

  /** Headers of whatever the answer will be. */
  addHeaders(headers: Record<string, string>): void {
    Object.assign(this.#headers, headers);
  }

  /** Tells a caller who waits for it (`Expect: 100-continue`) to send the body. */
  invite(): void {
    if (this.request.headers.expect?.toLowerCase() === '100-continue') this.#response.writeContinue();
  }

  /** What to give back when the drawing is out, or when it is known that there will be none. */
  atEnd(release: Release): void {
    this.#releases.push(release);
  }

  /** What to do when the answer is out, or the caller is gone. */
  atClose(action: Release): void {
    this.#closings.push(action);
  }

  /** What to give back to the caller when the failure was not the caller's. */
  ifGivenBack(giveBack: Release): void {
    this.#giveBack = giveBack;
  }

  /** Runs the work, frees what it held, then answers with what it returned or threw. Never throws. */
  async run(work: () => Answer | Promise<Answer>): Promise<void> {
    const answer = await Promise.resolve()
      .then(work)
      .catch((error: unknown) => this.#failure(error));
    // A refusal may have to wait for the end of an upload; its caller may call again before.
    if (answer.status >= 400 || this.gone.aborted) this.#release();
    if (this.gone.aborted || this.#response.headersSent) return;
    this.#answered = true;
    await send(this.#response, { ...answer, headers: { ...this.#headers, ...answer.headers } });
  }

  #release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  #failure(error: unknown): Answer {
    if (this.gone.aborted) return { status: 499, headers: {}, body: '' };
    const problem = asProblem(error);
    this.fields.code = problem.code;
    if (problem.givenBack) this.#giveBack();
    if (problem.status === 500)
      log('error', 'request failed', { requestId: this.id, error: describe(problem) });
    const close: Record<string, string> = problem.close ? { Connection: 'close' } : {};
    const headers = { 'Content-Type': PROBLEM_TYPE, ...problem.headers, ...close };
    return { status: problem.status, headers, body: problemBody(problem, this.id) };
  }

  #watch(startedMs: number, ended: ReturnType<Metrics['began']>): AbortSignal {
    const controller = new AbortController();
    // Comes before whatever the caller sends once it has read the answer: it must find its place free then.
    this.#response.once('finish', () => this.#release());
    this.#response.once('close', () => {
      if (this.#answered) this.#release();
      else controller.abort(new CallerGone());
      const status = this.#answered ? this.#response.statusCode : 499;
      const ms = Math.round(performance.now() - startedMs);
      const { path = '', code = '' } = this.fields;
      log('info', 'request', { requestId: this.id, method: this.request.method, status, ms, ...this.fields });
      ended({ route: String(path), status, code: String(code), ms });
      for (const close of this.#closings) close();
    });
    return controller.signal;
  }
}
