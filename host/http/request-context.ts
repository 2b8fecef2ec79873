import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { asProblem, PROBLEM_JSON, problemBody } from '../errors/problem.ts';
import { once, type Release } from '../limits/release.ts';
import { describe, type LogFields, log } from '../observability/log.ts';
import type { RequestObserver } from '../observability/request-observer.ts';
import type { StepTimings } from '../observability/step-timings.ts';
import type { ErrorPacer } from './error-pacer.ts';
import { type HttpResponse, sendResponse } from './send-response.ts';

const VALID_REQUEST_ID = /^[\w-]{1,64}$/;
/** The status that logs and metrics show if the response was not sent as a whole (nginx's convention). */
const CLIENT_CLOSED_REQUEST = 499;

/** Why a response was not sent as a whole; shown in logs and metrics only, as no client can read it. */
type UnsentCode = 'client_disconnected' | 'send_timeout';

/** The reason of `RequestContext.signal`: the client closed the connection before the response was sent. */
export class ClientDisconnected extends Error {}

interface ContextOptions {
  observer: RequestObserver;
  /** The longest time for sending the response. */
  sendTimeoutMs: number;
  errorPacer: ErrorPacer;
}

/** One request: its id, its log fields, the resources it holds and its response. */
export class RequestContext {
  readonly request: IncomingMessage;
  readonly id: string;
  /** Ends the request, as its connection is closed. Idempotent. */
  readonly close: () => void;
  /** Added to the log line of the request. */
  readonly logFields: LogFields;
  readonly timings: StepTimings;
  /** Whether the operating system has all bytes of the response. The rest of the request may still be read. */
  isSent = false;
  readonly #response: ServerResponse;
  readonly #headers: Record<string, string> = {
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  };
  readonly #releases: Release[] = [];
  readonly #closeActions: (() => void)[] = [];
  readonly #sentActions: (() => void)[] = [];
  readonly #options: ContextOptions;
  #refund = () => {};
  /** The client has disconnected before the response. */
  #isAborted = false;
  #controller: AbortController | undefined;
  #hasResponse = false;
  #unsentCode: UnsentCode = 'client_disconnected';

  constructor(request: IncomingMessage, response: ServerResponse, options: ContextOptions) {
    this.request = request;
    this.#response = response;
    this.#options = options;
    const given = request.headersDistinct['x-request-id'];
    this.id = given?.length === 1 && VALID_REQUEST_ID.test(given[0] ?? '') ? String(given[0]) : randomUUID();
    this.addHeaders({ 'X-Request-Id': this.id });
    const observed = options.observer.start(request, response, this.id);
    this.logFields = observed.logFields;
    this.timings = observed.timings;
    this.close = once(() => {
      if (!this.#hasResponse) this.#abort();
      this.#release();
      if (!this.isSent) this.logFields.code = this.#unsentCode;
      observed.finish(this.isSent ? response.statusCode : CLIENT_CLOSED_REQUEST, this.isSent);
      for (const action of this.#closeActions) action();
    });
    response.once('close', this.close);
  }

  /** Aborted when the client disconnects before the response. Made only if it is asked for: thousands of errors a second do without. */
  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#isAborted) this.#controller.abort(new ClientDisconnected());
    return this.#controller.signal;
  }

  /** Adds headers to the response, whether it is a success or an error. */
  addHeaders(headers: Record<string, string>): void {
    Object.assign(this.#headers, headers);
  }

  /** Sends `100 Continue` to a client that waits for it before sending the body. HTTP/1.0 does not have it. */
  sendContinue(): void {
    const { headers, httpVersion } = this.request;
    if (httpVersion === '1.1' && headers.expect?.toLowerCase() === '100-continue')
      this.#response.writeContinue();
  }

  /** Holds a resource until the response has been sent, or the request has failed. */
  hold(release: Release): void {
    this.#releases.push(release);
  }

  /** Registers an action to run when the response has been sent or the client has disconnected. */
  onClose(action: () => void): void {
    this.#closeActions.push(action);
  }

  /** Registers an action to run when the operating system has all bytes of the response. */
  onSent(action: () => void): void {
    this.#sentActions.push(action);
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
    if (response.status >= 400 || this.#isAborted) this.#release();
    if (response.status >= 400 && !this.#isAborted) {
      const turn = await this.#options.errorPacer.turn(() => this.#isAborted);
      if (turn === 'hurried') this.addHeaders({ Connection: 'close' });
    }
    // Not writable: what followed was no valid HTTP, and the connection has got its last response.
    if (this.#isAborted || !this.#response.socket?.writable) return;
    this.#hasResponse = true;
    const headers = { ...this.#headers, ...response.headers };
    await sendResponse(
      this.#response,
      { ...response, headers },
      {
        timeoutMs: this.#options.sendTimeoutMs,
        onSent: () => {
          this.isSent = true;
          // The client may send its next request on this connection, which may need what this one holds.
          this.#release();
          for (const action of this.#sentActions) action();
        },
        onTimeout: () => {
          this.#unsentCode = 'send_timeout';
        },
      },
    );
  }

  #abort(): void {
    this.#isAborted = true;
    this.#controller?.abort(new ClientDisconnected());
  }

  #release(): void {
    for (const release of this.#releases.splice(0)) release();
  }

  #toResponse(error: unknown): HttpResponse {
    if (this.#isAborted) return { status: CLIENT_CLOSED_REQUEST, headers: {}, body: '' };
    const problem = asProblem(error);
    this.logFields.code = problem.code;
    if (problem.refundsRateLimit) this.#refund();
    if (problem.status === 500)
      log('error', 'request failed', { requestId: this.id, error: describe(problem) });
    const close: Record<string, string> = problem.closesConnection ? { Connection: 'close' } : {};
    const headers = { 'Content-Type': PROBLEM_JSON, ...problem.headers, ...close };
    return { status: problem.status, headers, body: problemBody(problem, this.id) };
  }
}
