import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';

/** What is still read of a body that was refused, so that the caller gets to see the refusal instead of a reset. */
export const DRAIN = { maxBytes: 64 * 1024 * 1024, maxMs: 5_000 };

const draining = new WeakSet<Duplex>();

/** Whether a connection has had its last answer: nothing more may be written to it. */
export function isDraining(socket: Duplex): boolean {
  return draining.has(socket);
}

/** Reads on and throws away, until the body ends or the bounds are reached. */
export function drain(request: IncomingMessage): Promise<void> {
  draining.add(request.socket);
  return new Promise((resolve) => {
    let leftBytes = DRAIN.maxBytes;
    const timer = setTimeout(resolve, DRAIN.maxMs);
    const done = () => {
      clearTimeout(timer);
      resolve();
    };
    request.on('data', (chunk: Buffer) => {
      leftBytes -= chunk.length;
      if (leftBytes < 0) done();
    });
    request.once('end', done).once('error', done).once('close', done);
    request.resume();
  });
}
