import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asProblem, PROBLEM_JSON, problemBody } from '../errors/problem.ts';
import type { Release } from '../limits/release.ts';
import { describe, type LogFields, log } from '../observability/log.ts';
import type { ObservedRequest, RequestObserver } from '../observability/request-observer.ts';
import type { StepTimings } from '../observability/step-timings.ts';
import { type HttpResponse, sendResponse } from './send-response.ts';

const VALID_REQUEST_ID = /^[\w-]{1,64}$/;
/** The status that logs and metrics show if the client disconnected before the response (nginx's convention). */
const CLIENT_CLOSED_REQUEST = 499;

/** The reason of `RequestContext.signal`: the client closed the connection before the response was sent. */
export class ClientDisconnected extends Error {}

/** One request: its id, its log fields, the resources it holds and its response. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly id: string;
  /** Aborted when the client disconnects. */
  readonly signal: AbortSignal;
  /** Added to the log line of the request. */
  readonly logFields: LogFields;
  readonly timings: StepTimings;
  readonly #response: ServerResponse;
  readonly #headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  readonly #releases: Release[] = [];
  readonly #closeActions: (() => void)[] = [];
  #refund = () => {};
  #hasResponse = false;

  constructor(request: IncomingMessage, response: ServerResponse, observer: RequestObserver) {
    this.request = request;
    this.#response = response;
    const given = request.headersDistinct['x-request-id'];
    this.id = given?.length === 1 && VALID_REQUEST_ID.test(given[0] ?? '') ? String(given[0]) : randomUUID();
    this.addHeaders({ 'X-Request-Id': this.id });
    const observed = observer.start(request, response, this.id);
    this.logFields = observed.logFields;
    this.timings = observed.timings;
    this.signal = this.#watch(observed);
  }

  /** Adds headers to the response, whether it is a success or an error. */
  addHeaders(headers: Record<string, string>): void {
    Object.assign(this.#headers, headers);
  }

  /** Sends `100 Continue` to a client that waits for it before sending the body. */
  sendContinue(): void {
    if (this.request.headers.expect?.toLowerCase() === '100-continue') this.#response.writeContinue();
  }

  /** Registers a resource to release when the response has been sent, or when the request has failed. */
  onEnd(release: Release): void {
    this.#releases.push(release);
  }

  /** Registers an action to run when the response has been sent or the client has disconnected. */
  onClose(action: () => void): void {
    this.#closeActions.push(action);
  }

  /** Sets the action that takes back the count against the rate limit, for errors that are not the client's fault. */
  onRefund(refund: () => void): void {
    this.#refund = refund;
  }

  /** Runs `handler` and sends the response it returns, or the problem it throws. Never throws. */
  async respondWith(handler: () => HttpResponse | Promise<HttpResponse>): Promise<void> {
    const response = await Promise.resolve()
      .then(handler)
      .catch((error: unknown) => this.#toResponse(error));
    // Sending an error may have to wait for the end of the upload; meanwhile, the client may send its next request.
    if (response.status >= 400 || this.signal.aborted) this.#release();
    if (this.signal.aborted || this.#response.headersSent) return;
    this.#hasResponse = true;
    const headers = { ...this.#headers, ...response.headers };
    await sendResponse(this.#response, { ...response, headers });
  }

  #release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  #toResponse(error: unknown): HttpResponse {
    if (this.signal.aborted) return { status: CLIENT_CLOSED_REQUEST, headers: {}, body: '' };
    const problem = asProblem(error);
    this.logFields.code = problem.code;
    if (problem.refundsRateLimit) this.#refund();
    if (problem.status === 500)
      log('error', 'request failed', { requestId: this.id, error: describe(problem) });
    const close: Record<string, string> = problem.closesConnection ? { Connection: 'close' } : {};
    const headers = { 'Content-Type': PROBLEM_JSON, ...problem.headers, ...close };
    return { status: problem.status, headers, body: problemBody(problem, this.id) };
  }

  #watch(observed: ObservedRequest): AbortSignal {
    const controller = new AbortController();
    // 'finish' precedes the client's next request on this connection, which may need what this one holds.
    this.#response.once('finish', () => this.#release());
    this.#response.once('close', () => {
      if (this.#hasResponse) this.#release();
      else controller.abort(new ClientDisconnected());
      const status = this.#hasResponse ? this.#response.statusCode : CLIENT_CLOSED_REQUEST;
      observed.finish(status, this.#hasResponse);
      for (const action of this.#closeActions) action();
    });
    return controller.signal;
  }
}
