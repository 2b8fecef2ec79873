import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { extname, join } from 'node:path';

const TYPES: Record<string, string> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.png': 'image/png',
};

/** A server of a folder's files, and of what a test adds to them. */
export async function serveFiles(
  folder: string,
  added: Record<string, string> = {},
  headers: Record<string, string> = {},
): Promise<Server> {
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '', 'http://localhost').pathname.slice(1) || 'index.html';
    const file = join(folder, path);
    if (added[path] === undefined && !existsSync(file)) return response.writeHead(404).end();
    const type = TYPES[extname(path)] ?? 'application/octet-stream';
    return response
      .writeHead(200, { 'Content-Type': type, ...headers })
      .end(added[path] ?? readFileSync(file));
  }).listen(0);
  await once(server, 'listening');
  return server;
}
