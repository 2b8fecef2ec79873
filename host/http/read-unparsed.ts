import type { IncomingMessage } from 'node:http';

/**
 * Reads the rest of what a connection sends without parsing it. node:http makes an event of each chunk of a body, and a client
 * can send each byte in a chunk of its own: to parse 64 KiB of these takes some 20 ms, to read them less than one. No further
 * request of the connection can be read. What has been received before is still parsed.
 */
export function readUnparsed(request: IncomingMessage, onBytes: (bytes: Buffer) => void = () => {}): void {
  const { socket } = request;
  // The listener of node:http; as soon as there is another one, it gives the parser nothing on another way either.
  socket.removeAllListeners('data').on('data', onBytes);
  // node:http may have stopped reading, as a part of the body waits.
  request.resume();
}
