import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { readUnparsed } from './read-unparsed.ts';
import type { RequestContext } from './request-context.ts';

/**
 * How many pipelined requests of one connection may wait for their turn. No common client pipelines; a connection that
 * sends more is closed, as each parsed request takes memory until its turn comes.
 */
const MAX_WAITING = 16;
/**
 * The longest body of a waiting request. A longer one would fill the request's buffer, and node:http would stop reading: nobody
 * would notice that the client has left, and the request in flight would go on to its end.
 */
const MAX_WAITING_BODY_BYTES = 8 * 1024;

/** A parsed request that has not been started. */
export interface PendingRequest {
  response: ServerResponse;
  /** Starts handling the request. */
  start(): RequestContext;
}

/** What a connection needs, and what it reports. */
export interface ConnectionEvents {
  /** Calls `start` soon, when it is the turn of a request that `response` belongs to. */
  schedule(start: () => void, response: ServerResponse): void;
  /** A request has arrived, and the connection was idle before. */
  onBusy(): void;
  /** A response has been sent, but its request is not complete. */
  onAnswered(): void;
  /** The last response has been sent. */
  onIdle(): void;
  /** These many requests were received but never started. */
  onDiscard(count: number): void;
}

/**
 * The requests of one connection. A request starts when the responses to all earlier ones have been sent: node:http parses
 * pipelined requests at once, and a request in flight holds memory and a place. When the socket closes, the request in
 * flight is closed as well; node:http reports this only to the response whose turn it is.
 */
export class Connection {
  readonly socket: Socket;
  readonly #events: ConnectionEvents;
  readonly #waiting: PendingRequest[] = [];
  #scheduled: PendingRequest | undefined;
  #current: RequestContext | undefined;
  #isEnding = false;

  constructor(socket: Socket, events: ConnectionEvents) {
    this.socket = socket;
    this.#events = events;
    socket.once('close', () => this.#close());
  }

  /** Starts a request when its turn comes. */
  add(request: PendingRequest): void {
    if (this.#isEnding) {
      this.#discard(request.response.req);
    } else if (this.#scheduled === undefined && this.#current === undefined) {
      this.#events.onBusy();
      this.#schedule(request);
    } else if (this.#current?.isSent || canWait(request.response.req)) {
      // Once it has the response, a client may send its next request, though the rest of the one before is still being read.
      this.#waiting.push(request);
      if (this.#waiting.length > MAX_WAITING) this.#abort();
    } else {
      this.current();
      this.endAfterCurrent();
      this.#discard(request.response.req);
    }
  }

  /** The request whose response is being prepared or sent. Starts the one that is scheduled. */
  current(): RequestContext | undefined {
    this.#start();
    return this.#current;
  }

  /** Whether the response to the current request has been sent, though the request is not complete. */
  get isAnswered(): boolean {
    return this.#current?.isSent === true && !this.#current.request.complete;
  }

  /** Closes the connection after the response to the current request, because what follows cannot be answered. */
  endAfterCurrent(): void {
    this.#end();
    this.#current?.addHeaders({ Connection: 'close' });
  }

  /** Reads a request that gets no answer, so that the end of the connection is noticed. */
  #discard(request: IncomingMessage): void {
    readUnparsed(request);
    this.#events.onDiscard(1);
  }

  #schedule(request: PendingRequest): void {
    this.#scheduled = request;
    this.#events.schedule(() => this.#start(), request.response);
  }

  #start(): void {
    if (this.#scheduled === undefined) return;
    // The connection may have ended with the previous response.
    if (this.#scheduled.response.socket === null || this.socket.destroyed) {
      this.#end();
      return;
    }
    this.#current = this.#scheduled.start();
    this.#scheduled = undefined;
    this.#current.onClose(() => this.#next());
    this.#current.onSent(() => this.isAnswered && this.#events.onAnswered());
  }

  #next(): void {
    this.#current = undefined;
    const next = this.#waiting.shift();
    if (next !== undefined) this.#schedule(next);
    else if (this.#isEnding) this.socket.destroySoon();
    else this.#events.onIdle();
  }

  #abort(): void {
    this.#end();
    this.socket.destroy();
  }

  #close(): void {
    this.#end();
    this.#current?.close();
  }

  /** Starts no further requests. */
  #end(): void {
    this.#isEnding = true;
    const count = this.#waiting.splice(0).length + Number(this.#scheduled !== undefined);
    this.#scheduled = undefined;
    if (count > 0) this.#events.onDiscard(count);
  }
}

function canWait({ headers }: IncomingMessage): boolean {
  return (
    headers['transfer-encoding'] === undefined &&
    Number(headers['content-length'] ?? 0) <= MAX_WAITING_BODY_BYTES
  );
}
