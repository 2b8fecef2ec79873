import { type IncomingMessage, Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { headersTooLarge } from '../errors/details.ts';
import { type Problem, problem } from '../errors/problem.ts';
import { DRAIN_LIMITS, isDraining } from '../http/drain-body.ts';
import { ErrorPacer } from '../http/error-pacer.ts';
import { OpenConnections } from '../http/open-connections.ts';
import { rejectConnection } from '../http/reject-connection.ts';
import { RequestContext } from '../http/request-context.ts';
import type { HttpResponse } from '../http/send-response.ts';
import type { Service } from './dependencies.ts';
import { HEALTH_CHECKS } from './health.ts';
import { METHODS, route } from './routes.ts';

/** How often node:http checks the timeouts of requests. */
const CHECK_INTERVAL_MS = 1_000;

/** The HTTP server of the service. */
export class HttpServer extends Server {
  readonly openConnections: OpenConnections;
  readonly #service: Service;
  readonly #errorPacer = new ErrorPacer();

  /** Not yet listening. */
  constructor(service: Service) {
    const { settings, metrics } = service;
    super({
      // Also limits how long a connection may send nothing before its first request.
      headersTimeout: settings.headersTimeoutMs,
      // readMultipart limits the time for a body; this limit catches all other requests.
      requestTimeout:
        settings.headersTimeoutMs + settings.bodyTimeoutMs + DRAIN_LIMITS.maxMs + CHECK_INTERVAL_MS,
      connectionsCheckingInterval: CHECK_INTERVAL_MS,
      keepAliveTimeout: settings.keepAliveTimeoutMs,
      // checkRequest checks it and responds with a problem document.
      requireHostHeader: false,
    });
    // By default, node:http leaves out all headers after the first 2,000 and yet acts on them. Their size is limited anyway.
    this.maxHeadersCount = 0;
    this.#service = service;
    this.openConnections = new OpenConnections(this, {
      maxConnections: settings.maxConnections,
      isUrgent: ({ url = '' }) => HEALTH_CHECKS.has(url),
      hurryError: () => this.#errorPacer.hurry(),
      rejectUpload: () => service.uploads.rejectOne(),
      onLimit: (action) => metrics.connectionLimited(action),
      onDiscard: (count) => metrics.requestsDiscarded(count),
    });
    const handle = (request: IncomingMessage, response: ServerResponse) => this.#handle(request, response);
    this.on('request', handle).on('checkContinue', handle).on('checkExpectation', handle);
    // For invalid HTTP, node:http provides neither a request nor a response.
    this.on('clientError', (error: NodeJS.ErrnoException, socket) => {
      const hasLeft = error.code === 'ECONNRESET' || this.#endsBehindRequest(error, socket);
      if (hasLeft || !socket.writable || isDraining(socket)) socket.destroy();
      else this.#reject(socket, toProblem(error.code));
    });
    this.on('connect', (_, socket) => this.#reject(socket, connectMethod()));
  }

  #handle(request: IncomingMessage, response: ServerResponse): void {
    const service = this.#service;
    const { observer, settings } = service;
    const start = () => {
      const context = new RequestContext(request, response, {
        observer,
        sendTimeoutMs: settings.sendTimeoutMs,
        errorPacer: this.#errorPacer,
      });
      void context.respondWith(() => respond(context, service));
      return context;
    };
    this.openConnections.of(request.socket)?.add({ response, start });
  }

  /** Whether a client has ended its side in the middle of a request while an earlier one is in flight. */
  #endsBehindRequest({ code }: NodeJS.ErrnoException, socket: Duplex): boolean {
    return (
      code === 'HPE_INVALID_EOF_STATE' &&
      this.openConnections.of(socket)?.current()?.request.complete === true
    );
  }

  #reject(socket: Duplex, problem: Problem): void {
    this.#service.metrics.connectionRejected(problem.code);
    const connection = this.openConnections.of(socket);
    // The response to an earlier request must come first; nothing can follow it, as no request can be read any more.
    if (connection?.current()?.request.complete) connection.endAfterCurrent();
    else rejectConnection(socket, problem);
  }
}

async function respond(context: RequestContext, service: Service): Promise<HttpResponse> {
  try {
    return await route(context, service);
  } finally {
    // During shutdown, the next request should go to another instance.
    if (service.readiness.isShuttingDown) context.addHeaders({ Connection: 'close' });
  }
}

function toProblem(errorCode: string | undefined): Problem {
  if (errorCode === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return problem(errorCode === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slow_request' : 'malformed_http');
}

/** RFC 9110 requires `Allow` with 405. CONNECT names no path, so these are the methods of all paths. */
function connectMethod(): Problem {
  return problem('connect_method', { headers: { Allow: METHODS.join(', ') } });
}
