import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isDraining } from './drain-body.ts';

/** The open connections of a server, and which of them have a request in flight. */
export class OpenConnections {
  readonly #sockets = new Set<Socket>();
  readonly #responses = new Set<ServerResponse>();

  /** Create it before the server listens, as earlier connections are not counted. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#sockets.add(socket);
      socket.once('close', () => this.#sockets.delete(socket));
    });
    const onRequest = (_: IncomingMessage, response: ServerResponse) => {
      this.#responses.add(response);
      response.once('close', () => this.#responses.delete(response));
    };
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  }

  /** Closes connections without a complete request. (node:http's own method skips those with a part of the headers.) */
  closeIdle(): void {
    const busy = new Set(Array.from(this.#responses, ({ socket }) => socket));
    for (const socket of this.#sockets) if (!busy.has(socket) && !isDraining(socket)) socket.destroy();
  }
}
