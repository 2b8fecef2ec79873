import { randomUUID } from 'node:crypto';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Duplex } from 'node:stream';
import { PROBLEM_TYPE, Problem, problemBody } from '../errors/problem.ts';
import { DRAIN, isDraining } from '../http/drain-body.ts';
import { Exchange } from '../http/request-context.ts';
import type { Answer } from '../http/send-response.ts';
import { log } from '../observability/log.ts';
import type { Service } from './dependencies.ts';
import { route } from './routes.ts';

/** node:http looks for headers that came too late this often. */
const CHECK_INTERVAL_MS = 1_000;
/** How long a connection that sent broken HTTP may take to read the answer. */
const LINGER_MS = 1_000;
const KEEP_ALIVE_MS = 65_000;

/** The HTTP server of a service, not yet listening. */
export function createHttpServer(service: Service): Server {
  const { settings } = service;
  const options = {
    headersTimeout: settings.headersTimeoutMs,
    // Bodies have a limit of their own, counted from their first byte; this one is for whatever gets around it.
    requestTimeout: settings.headersTimeoutMs + settings.bodyTimeoutMs + DRAIN.maxMs + CHECK_INTERVAL_MS,
    connectionsCheckingInterval: CHECK_INTERVAL_MS,
    // Longer than the usual idle time of load balancers, so that it is they who close.
    keepAliveTimeout: KEEP_ALIVE_MS,
    // Checked where the answer is a problem document like any other.
    requireHostHeader: false,
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    const exchange = new Exchange(request, response, service.metrics);
    void exchange.run(() => answer(exchange, service));
  };
  const server = createServer(options, handle);
  server.maxConnections = settings.maxConnections;
  // Longer than any silence the service itself can cause; it ends connections whose callers do not read the answer.
  server.setTimeout(settings.bodyTimeoutMs + settings.maxWaitMs + settings.processingTimeoutMs);
  server.on('checkContinue', handle).on('checkExpectation', handle);
  const refuseConnection = (socket: Duplex, problem: Problem) => {
    service.metrics.refusedConnection(problem.code);
    refuse(socket, problem);
  };
  // What node:http cannot read as HTTP; there is no request and no response object then.
  server.on('clientError', (error: NodeJS.ErrnoException, socket) => {
    if (error.code === 'ECONNRESET' || !socket.writable || isDraining(socket)) socket.destroy();
    else refuseConnection(socket, asConnectionProblem(error.code));
  });
  server.on('connect', (_, socket) =>
    refuseConnection(socket, new Problem('method_not_allowed', 'This is no proxy.')),
  );
  return server;
}

async function answer(exchange: Exchange, service: Service): Promise<Answer> {
  try {
    return await route(exchange, service);
  } finally {
    // Connections that are kept open would bring the next request to a service that is about to end.
    if (!service.door.isReady) exchange.addHeaders({ Connection: 'close' });
  }
}

function asConnectionProblem(code: string | undefined): Problem {
  if (code === 'HPE_HEADER_OVERFLOW') return new Problem('headers_too_large', 'The headers are too large.');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return new Problem('request_timeout', 'The request came too slowly.');
  return new Problem('bad_request', 'The request is not well-formed HTTP.');
}

function refuse(socket: Duplex, problem: Problem): void {
  const id = randomUUID();
  log('info', 'connection refused', { requestId: id, status: problem.status, code: problem.code });
  const body = problemBody(problem, id);
  const headers = {
    'Content-Type': PROBLEM_TYPE,
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
