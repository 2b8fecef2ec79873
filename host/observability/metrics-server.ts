import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

/** The HTTP server of `/metrics`, on a port that clients of the service cannot reach. Not yet listening. */
export function createMetricsServer(metrics: Metrics): Server {
  metrics.addProcessMetrics();
  return createServer((request, response) => {
    void respond(request, response, metrics).catch(() => response.destroy());
  });
}

async function respond(request: IncomingMessage, response: ServerResponse, metrics: Metrics): Promise<void> {
  const [path] = (request.url ?? '').split('?', 1);
  if (path !== '/metrics') return reject(response, 404, {});
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return reject(response, 405, { Allow: 'GET, HEAD' });
  const text = await metrics.text();
  response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
}

function reject(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, Connection: 'close' }).end();
}
