import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { JSON_TYPE } from '../http/content-negotiation.ts';
import { requestPath } from '../http/request-path.ts';
import type { Metrics } from '../observability/metrics.ts';
import { HEALTH_CHECKS, type HealthStatus } from './health.ts';
import type { Readiness } from './readiness.ts';

interface AdminServices {
  metrics: Metrics;
  readiness: Readiness;
}

/** Scrapers and probes open few connections. The limit is apart from that of the public port, which may be full. */
const MAX_CONNECTIONS = 100;
/** Idle connections and slow clients are closed after this time, so that they do not take the connections of others. */
const TIMEOUT_MS = 5_000;

/** The HTTP server of `/metrics`, `/livez` and `/readyz`, on a port that clients of the service cannot reach. Not yet listening. */
export function createAdminServer(services: AdminServices): Server {
  services.metrics.addProcessMetrics();
  const options = {
    headersTimeout: TIMEOUT_MS,
    requestTimeout: TIMEOUT_MS,
    keepAliveTimeout: TIMEOUT_MS,
    connectionsCheckingInterval: 1_000,
  };
  const server = createServer(options, (request, response) => {
    const timer = setTimeout(() => response.destroy(), TIMEOUT_MS);
    response.once('close', () => clearTimeout(timer));
    void respond(request, response, services).catch(() => response.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  // As on the public port: no header is left out, whatever comes before it.
  server.maxHeadersCount = 0;
  return server;
}

async function respond(
  request: IncomingMessage,
  response: ServerResponse,
  services: AdminServices,
): Promise<void> {
  const { method = '' } = request;
  const body = BODIES.get(requestPath(request));
  if (body === undefined)
    return reject(response, 404, {}, `This port has ${[...BODIES.keys()].join(', ')} only.`);
  if (method !== 'GET' && method !== 'HEAD')
    return reject(response, 405, { Allow: 'GET, HEAD' }, 'This port supports GET and HEAD only.');
  const { status, type, text } = await body(services);
  response.writeHead(status, { 'Content-Type': type, 'Cache-Control': 'no-store' }).end(text);
}

type Body = { status: number; type: string; text: string };

const BODIES = new Map<string, (services: AdminServices) => Body | Promise<Body>>([
  [
    '/metrics',
    async ({ metrics }) => ({ status: 200, type: metrics.contentType, text: await metrics.text() }),
  ],
  ...[...HEALTH_CHECKS].map(([path, check]): [string, (services: AdminServices) => Body] => [
    path,
    ({ readiness }) => json(check(readiness)),
  ]),
]);

function json({ status, word }: HealthStatus): Body {
  return { status, type: JSON_TYPE, text: JSON.stringify({ status: word }) };
}

function reject(
  response: ServerResponse,
  status: number,
  headers: Record<string, string>,
  text: string,
): void {
  const more = { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' };
  response.writeHead(status, { ...headers, ...more }).end(`${text}\n`);
}
