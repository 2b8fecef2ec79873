import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { isDraining } from './drain-body.ts';

/** The open connections of a server, and on which of them a request is being answered. */
export class Connections {
  readonly #open = new Set<Socket>();
  readonly #unanswered = new Set<ServerResponse>();

  /** Before the server listens: earlier connections are not known. */
  constructor(server: Server) {
    server.on('connection', (socket: Socket) => {
      this.#open.add(socket);
      socket.once('close', () => this.#open.delete(socket));
    });
    const onRequest = (_: IncomingMessage, response: ServerResponse) => {
      this.#unanswered.add(response);
      response.once('close', () => this.#unanswered.delete(response));
    };
    for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  }

  /** Closes all on which there is no request, or only a part of its headers: for node:http, these are busy. */
  closeIdle(): void {
    const busy = new Set(Array.from(this.#unanswered, ({ socket }) => socket));
    for (const socket of this.#open) if (!busy.has(socket) && !isDraining(socket)) socket.destroy();
  }
}
