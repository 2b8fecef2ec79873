import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Metrics } from './metrics.ts';

/** The server for whoever runs the service: `/metrics`, on a port that callers cannot reach. Not yet listening. */
export function createAdminServer(metrics: Metrics): Server {
  metrics.addProcess();
  return createServer((request, response) => {
    void answer(request, response, metrics).catch(() => response.destroy());
  });
}

async function answer(request: IncomingMessage, response: ServerResponse, metrics: Metrics): Promise<void> {
  const [path] = (request.url ?? '').split('?', 1);
  if (path !== '/metrics') return refuse(response, 404, {});
  if (request.method !== 'GET' && request.method !== 'HEAD')
    return refuse(response, 405, { Allow: 'GET, HEAD' });
  const text = await metrics.text();
  response.writeHead(200, { 'Content-Type': metrics.contentType }).end(text);
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string>): void {
  response.writeHead(status, { ...headers, Connection: 'close' }).end();
}
