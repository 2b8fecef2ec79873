import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { addBodyBytes } from '../observability/body-size.ts';

/**
 * How much of a rejected body is still read, and for how long. Closing the connection while the client sends would reset
 * it, and the client might not see the response.
 */
export const DRAIN_LIMITS = { maxBytes: 64 * 1024 * 1024, maxMs: 5_000 };

const draining = new WeakSet<Duplex>();

/** Whether a response of the connection has been sent whose request is not complete. Nothing more may be written to it. */
export function isDraining(socket: Duplex): boolean {
  return draining.has(socket);
}

/** Reads and discards the rest of the body. Resolves to whether its end was read; false if a limit was reached before. */
export function drainBody(request: IncomingMessage): Promise<boolean> {
  draining.add(request.socket);
  return new Promise((resolve) => {
    let remainingBytes = DRAIN_LIMITS.maxBytes;
    const done = () => {
      clearTimeout(timer);
      if (request.complete) draining.delete(request.socket);
      resolve(request.complete);
    };
    const timer = setTimeout(done, DRAIN_LIMITS.maxMs);
    request.on('data', (chunk: Buffer) => {
      addBodyBytes(request, chunk.length);
      remainingBytes -= chunk.length;
      if (remainingBytes < 0) done();
    });
    request.once('end', done).once('error', done).once('close', done);
    request.resume();
  });
}
