import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { addBodyBytes } from '../observability/body-size.ts';

/**
 * How much of a rejected body is still read, and for how long. Closing the connection while the client sends would reset
 * it, and the client might not see the response.
 */
export const DRAIN_LIMITS = { maxBytes: 64 * 1024 * 1024, maxMs: 5_000 };

const draining = new WeakSet<Duplex>();

/** Whether the last response of a connection has been sent. Nothing more may be written to it. */
export function isDraining(socket: Duplex): boolean {
  return draining.has(socket);
}

/** Reads and discards the rest of the body, until its end or a limit. */
export function drainBody(request: IncomingMessage): Promise<void> {
  draining.add(request.socket);
  return new Promise((resolve) => {
    let remainingBytes = DRAIN_LIMITS.maxBytes;
    const timer = setTimeout(resolve, DRAIN_LIMITS.maxMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      addBodyBytes(request, chunk.length);
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) done();
    });
    request.once('end', done).once('error', done).once('close', done);
    request.resume();
  });
}
