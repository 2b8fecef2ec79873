import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { headersTooLarge } from '../errors/details.ts';
import { PROBLEM_JSON, type Problem, problem, problemBody } from '../errors/problem.ts';
import { DRAIN_LIMITS, isDraining } from '../http/drain-body.ts';
import { RequestContext } from '../http/request-context.ts';
import type { HttpResponse } from '../http/send-response.ts';
import { log } from '../observability/log.ts';
import type { Service } from './dependencies.ts';
import { route } from './routes.ts';

/** How often node:http checks the timeouts of requests. */
const CHECK_INTERVAL_MS = 1_000;
/** How long a client that sent invalid HTTP may take to read the response. */
const LINGER_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;

/** The HTTP server of a service, not yet listening. */
export function createHttpServer(service: Service): Server {
  const { settings } = service;
  const options = {
    headersTimeout: settings.headersTimeoutMs,
    // readMultipart limits the time for a body; this limit catches all other requests.
    requestTimeout:
      settings.headersTimeoutMs + settings.bodyTimeoutMs + DRAIN_LIMITS.maxMs + CHECK_INTERVAL_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Longer than the idle timeout of most load balancers, so that they close the connection first.
    keepAliveTimeout: KEEP_ALIVE_MS,
    // requestPath checks it and responds with a problem document.
    requireHostHeader: false,
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const context = new RequestContext(request, response, service.observer);
    void context.respondWith(() => respond(context, service));
  };
  const server = createServer(options, handle);
  server.maxConnections = settings.maxConnections;
  // Longer than the service itself can be silent. It ends connections whose clients do not read the response.
  server.setTimeout(settings.bodyTimeoutMs + settings.maxWaitMs + settings.processingTimeoutMs);
  server.on('checkContinue', handle).on('checkExpectation', handle);
  const reject = (socket: Duplex, problem: Problem) => {
    service.metrics.connectionRejected(problem.code);
    rejectConnection(socket, problem);
  };
  // For invalid HTTP, node:http provides neither a request nor a response.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isDraining(socket)) socket.destroy();
    else reject(socket, toProblem(error.code));
  });
  server.on('connect', (_, socket) => reject(socket, problem('connect_method')));
  return server;
}

async function respond(context: RequestContext, service: Service): Promise<HttpResponse> {
  try {
    return await route(context, service);
  } finally {
    // During shutdown, the next request should go to another instance.
    if (!service.readiness.isReady) context.addHeaders({ Connection: 'close' });
  }
}

function toProblem(errorCode: string | undefined): Problem {
  if (errorCode === 'HPE_HEADER_OVERFLOW') return headersTooLarge();
  return problem(errorCode === 'ERR_HTTP_REQUEST_TIMEOUT' ? 'slow_request' : 'malformed_http');
}

/** Writes a response directly to the socket and closes it. */
function rejectConnection(socket: Duplex, problem: Problem): void {
  const id = randomUUID();
  log('info', 'connection rejected', { requestId: id, status: problem.status, code: problem.code });
  const body = problemBody(problem, id);
  const headers = {
    'Content-Type': PROBLEM_JSON,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS).unref();
}
