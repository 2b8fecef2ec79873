import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { addBodyBytes } from '../observability/body-size.ts';
import { readUnparsed } from './read-unparsed.ts';

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

const LINE_END = '\r\n';
/** How a body in chunks ends, unless it has a trailer. Bytes of an image that look so, at the end of a segment, only end the reading early. */
const LAST_CHUNK = `${LINE_END}0${LINE_END}${LINE_END}`;

/**
 * Reads and discards the rest of the body. Resolves to whether its end was read, and another request can follow; false if a
 * limit was reached before. A body in chunks is not parsed: its connection has to be closed, unless all of it had arrived.
 */
export function drainBody(request: IncomingMessage): Promise<boolean> {
  draining.add(request.socket);
  return new Promise((resolve) => {
    let remainingBytes = DRAIN_LIMITS.maxBytes;
    const done = () => {
      clearTimeout(timer);
      if (request.complete) draining.delete(request.socket);
      resolve(request.complete);
    };
    const count = (bytes: number) => {
      remainingBytes -= bytes;
      if (remainingBytes < 0) done();
    };
    const timer = setTimeout(done, DRAIN_LIMITS.maxMs);
    request.on('data', (chunk: Buffer) => {
      addBodyBytes(request, chunk.length);
      count(chunk.length);
    });
    request.once('end', done).once('error', done).once('close', done);
    if (request.headers['transfer-encoding'] === undefined) return void request.resume();
    let tail = LINE_END;
    readUnparsed(request, (bytes) => {
      count(bytes.length);
      tail = (tail + bytes.toString('latin1', Math.max(0, bytes.length - LAST_CHUNK.length))).slice(
        -LAST_CHUNK.length,
      );
      if (tail === LAST_CHUNK) done();
    });
  });
}
