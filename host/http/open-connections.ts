import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { overloaded } from '../errors/details.ts';
import { Connection } from './connection.ts';
import { isDraining } from './drain-body.ts';
import { rejectConnection } from './reject-connection.ts';
import { StartQueue } from './start-queue.ts';

/** A connection is closed to make room for another one only if it has been idle for this long: its request may be on the way. */
const MIN_IDLE_MS = 1_000;
/** How many connections over the limit may be open to get their response. Further ones are closed without one. */
const MAX_REFUSED = 1_000;
/** How long a connection over the limit may take to send the first byte of its request. */
const REFUSAL_MS = 1_000;
/** `Retry-After` of a connection over the limit. */
const RETRY_MS = 1_000;

/** What happened because of the connection limit. */
export type LimitAction = 'idle_closed' | 'refused' | 'dropped';

export interface ConnectionLimitOptions {
  maxConnections: number;
  /** Whether a request goes before others. */
  isUrgent(request: IncomingMessage): boolean;
  /** The limit was reached. */
  onLimit(action: LimitAction): void;
  /** Pipelined requests were received but never started. */
  onDiscard(count: number): void;
}

/**
 * The open connections of a server, and their limit. At the limit, the connection that has been idle for longest makes room
 * for a new one; if all are in use, the new one gets 503. (The limit of node:http itself closes new connections silently.)
 */
export class OpenConnections {
  readonly #options: ConnectionLimitOptions;
  readonly #connections = new Map<Duplex, Connection>();
  /** Connections without a request in flight, by the time since when; the longest idle one first. */
  readonly #idleSince = new Map<Connection, number>();
  readonly #refused = new Set<Socket>();
  readonly #starts = new StartQueue();

  /** Create it before the server listens, as earlier connections are not counted. */
  constructor(server: Server, options: ConnectionLimitOptions) {
    this.#options = options;
    // node:http reads requests from sockets with this listener; sockets over the limit do without.
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      if (!this.#makeRoom()) return this.#refuse(socket);
      this.#add(socket);
      for (const listener of listeners) listener.call(server, socket);
    });
  }

  /** The connection of a socket. */
  of(socket: Duplex): Connection | undefined {
    return this.#connections.get(socket);
  }

  get count(): number {
    return this.#connections.size;
  }

  /** Closes connections without a complete request. (node:http's own method skips those with a part of the headers.) */
  closeIdle(): void {
    for (const { socket } of this.#idleSince.keys()) if (!isDraining(socket)) socket.destroy();
    for (const socket of this.#refused) socket.destroy();
  }

  #add(socket: Socket): void {
    const connection = new Connection(socket, {
      schedule: (start, { req }) => this.#starts.add(start, { urgent: this.#options.isUrgent(req) }),
      onBusy: () => this.#idleSince.delete(connection),
      onIdle: () => this.#idleSince.set(connection, performance.now()),
      onDiscard: this.#options.onDiscard,
    });
    this.#connections.set(socket, connection);
    this.#idleSince.set(connection, performance.now());
    socket.once('close', () => this.#remove(connection));
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection.socket);
    this.#idleSince.delete(connection);
  }

  /** Closes an idle connection if the limit is reached. Returns whether a new one is within the limit. */
  #makeRoom(): boolean {
    if (this.#connections.size < this.#options.maxConnections) return true;
    const [oldest] = this.#idleSince;
    if (oldest === undefined) return false;
    const [connection, sinceMs] = oldest;
    if (performance.now() - sinceMs < MIN_IDLE_MS) return false;
    connection.socket.destroy();
    this.#remove(connection);
    this.#options.onLimit('idle_closed');
    return true;
  }

  /** Responds to the first bytes of the request: a client may not expect a response before it has sent something. */
  #refuse(socket: Socket): void {
    if (this.#refused.size >= MAX_REFUSED) {
      this.#options.onLimit('dropped');
      socket.destroy();
      return;
    }
    this.#options.onLimit('refused');
    this.#refused.add(socket);
    const timer = setTimeout(() => socket.destroy(), REFUSAL_MS);
    socket.once('close', () => {
      clearTimeout(timer);
      this.#refused.delete(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      clearTimeout(timer);
      rejectConnection(socket, overloaded(RETRY_MS));
    });
  }
}
