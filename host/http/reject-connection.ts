import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { PROBLEM_JSON, type Problem, problemBody } from '../errors/problem.ts';
import { log } from '../observability/log.ts';
import { afterReading } from './after-reading.ts';

/** How long a client may take to read the response. */
const LINGER_MS = 1_000;

/** Writes a response directly to a socket without a request, and closes it. */
export function rejectConnection(socket: Duplex, problem: Problem): void {
  const id = randomUUID();
  const { status, code } = problem;
  // The type of sockets in node:http's events does not tell that they are TCP sockets.
  const { remoteAddress: peerAddress } = socket as Socket;
  log('info', 'connection rejected', { requestId: id, status, code, peerAddress });
  const body = problemBody(problem, id);
  const headers = {
    'Content-Type': PROBLEM_JSON,
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': id,
    ...problem.headers,
    Connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.on('error', () => socket.destroy());
  socket.end(`HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${lines.join('')}\r\n${body}`);
  // Closing while the client sends would reset the connection before the client has read the response.
  socket.resume();
  const timer = setTimeout(() => afterReading(() => socket.destroy()), LINGER_MS).unref();
  socket.once('close', () => clearTimeout(timer));
}
