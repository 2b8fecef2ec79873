import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { overloaded } from '../errors/details.ts';
import { afterReading } from './after-reading.ts';
import { Connection } from './connection.ts';
import { isDraining } from './drain-body.ts';
import { rejectConnection } from './reject-connection.ts';
import { StartQueue } from './start-queue.ts';

/** A connection is closed to make room for another one only if it has been idle for this long: its request may be on the way. */
const MIN_IDLE_MS = 1_000;
/**
 * A connection whose response was sent before its request was complete makes room after this time, in which the response reaches
 * a client in another part of the world. Clients without a key can open such connections: the shorter this is, the more
 * they must open in a second to keep others out.
 */
const MIN_ANSWERED_MS = 250;
/**
 * How many connections over the limit may be open to get their last response. For further ones, those that have been silent for
 * longest are closed without one.
 */
const MAX_EXTRA = 1_000;
/** How long a connection over the limit may take to send the first byte of its request. */
const REFUSAL_MS = 1_000;
/** `Retry-After` of a connection over the limit. */
const RETRY_MS = 1_000;

/** What happened because of the connection limit. */
export type LimitAction =
  | 'answered_closed'
  | 'idle_closed'
  | 'error_closed'
  | 'upload_rejected'
  | 'refused'
  | 'dropped';

export interface ConnectionLimitOptions {
  maxConnections: number;
  /** Whether a request goes before others. */
  isUrgent(request: IncomingMessage): boolean;
  /** Sends an error that is being delayed, and closes its connection. Returns whether there is one. */
  hurryError(): boolean;
  /** Ends an upload of the account that has the most, with an error. Returns whether there is one. */
  rejectUpload(): boolean;
  /** The limit was reached. */
  onLimit(action: LimitAction): void;
  /** Pipelined requests were received but never started. */
  onDiscard(count: number): void;
}

/** Since when a connection has no request in flight, and what it had received by then. */
interface Idle {
  sinceMs: number;
  bytesRead: number;
}

/**
 * The open connections of a server, and their limit. At the limit, a connection that has its response makes room for a new one,
 * though the rest of its request is still being read; or else the one that has been idle for longest, or one whose error is being
 * delayed, or one of the account with the most uploads. If all are in use, the new one gets 503. (The limit of node:http itself closes new connections silently.)
 */
export class OpenConnections {
  readonly #options: ConnectionLimitOptions;
  readonly #connections = new Map<Duplex, Connection>();
  /** Connections without a request in flight; the longest idle one first. */
  readonly #idle = new Map<Connection, Idle>();
  /** Since when connections have had a response to an incomplete request; the first one first. Some may be complete by now. */
  readonly #answered = new Map<Connection, number>();
  readonly #refused = new Set<Socket>();
  /** Those of them that have not sent anything; the oldest first. */
  readonly #silent = new Set<Socket>();
  readonly #starts = new StartQueue();

  /** Create it before the server listens, as earlier connections are not counted. */
  constructor(server: Server, options: ConnectionLimitOptions) {
    this.#options = options;
    // node:http reads requests from sockets with this listener; sockets over the limit do without.
    const listeners = server.listeners('connection') as ((socket: Socket) => void)[];
    const open = (socket: Socket) => {
      this.#add(socket);
      for (const listener of listeners) listener.call(server, socket);
    };
    server.removeAllListeners('connection').on('connection', (socket: Socket) => {
      if (!this.#isFull) return open(socket);
      const ignore = () => {};
      socket.on('error', ignore);
      // A connection that seems to be idle may have sent a request by now.
      afterReading(() => {
        socket.off('error', ignore);
        if (socket.destroyed) return;
        if (this.#makeRoom()) open(socket);
        else this.#refuse(socket);
      });
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
    for (const { socket } of this.#idle.keys()) if (!isDraining(socket)) socket.destroy();
    for (const socket of this.#refused) socket.destroy();
  }

  #add(socket: Socket): void {
    const connection = new Connection(socket, {
      schedule: (start, { req }) => this.#starts.add(start, { urgent: this.#options.isUrgent(req) }),
      onBusy: () => this.#idle.delete(connection),
      onAnswered: () => this.#setAnswered(connection),
      onIdle: () => this.#setIdle(connection),
      onDiscard: this.#options.onDiscard,
    });
    this.#connections.set(socket, connection);
    this.#setIdle(connection);
    socket.once('close', () => this.#remove(connection));
  }

  #remove(connection: Connection): void {
    this.#connections.delete(connection.socket);
    this.#idle.delete(connection);
    this.#answered.delete(connection);
  }

  get #isFull(): boolean {
    return this.#connections.size >= this.#options.maxConnections;
  }

  /** How many connections are open over the limit. */
  get #extra(): number {
    return this.#refused.size + Math.max(0, this.#connections.size - this.#options.maxConnections);
  }

  #setAnswered(connection: Connection): void {
    this.#answered.delete(connection);
    this.#answered.set(connection, performance.now());
  }

  /** Makes a connection the one that has been idle for the shortest time. */
  #setIdle(connection: Connection, bytesRead = connection.socket.bytesRead): void {
    this.#answered.delete(connection);
    this.#idle.delete(connection);
    this.#idle.set(connection, { sinceMs: performance.now(), bytesRead });
  }

  /** Ends another connection if the limit is reached. Returns whether there is a place for a new one. */
  #makeRoom(): boolean {
    if (!this.#isFull) return true;
    const answered = this.#firstAnswered();
    if (answered !== undefined) return this.#replace(answered, 'answered_closed');
    const idle = this.#longestIdle();
    return idle === undefined ? this.#makeRoomByError() : this.#replace(idle, 'idle_closed');
  }

  #replace(connection: Connection, action: LimitAction): true {
    connection.socket.destroy();
    this.#remove(connection);
    this.#options.onLimit(action);
    return true;
  }

  /** The connection with the error counts until it is closed, so there may be some more than the limit for a moment. */
  #makeRoomByError(): boolean {
    if (this.#extra >= MAX_EXTRA) return false;
    const isError = this.#options.hurryError();
    if (!isError && !this.#options.rejectUpload()) return false;
    this.#options.onLimit(isError ? 'error_closed' : 'upload_rejected');
    return true;
  }

  /** The connection that was answered first before its request was complete, if that was MIN_ANSWERED_MS ago. */
  #firstAnswered(): Connection | undefined {
    for (const [connection, sinceMs] of this.#answered) {
      if (performance.now() - sinceMs < MIN_ANSWERED_MS) return undefined;
      if (connection.isAnswered) return connection;
      this.#answered.delete(connection);
    }
    return undefined;
  }

  /** The connection that has been idle for longest, if it has been for MIN_IDLE_MS. */
  #longestIdle(): Connection | undefined {
    for (const [connection, { sinceMs, bytesRead }] of this.#idle) {
      if (performance.now() - sinceMs < MIN_IDLE_MS) return undefined;
      if (connection.socket.bytesRead <= bytesRead) return connection;
      // The headers of a request have begun to arrive. It gets MIN_IDLE_MS more, but only once.
      this.#setIdle(connection, Number.POSITIVE_INFINITY);
    }
    return undefined;
  }

  /** Responds to the first bytes of the request: a client may not expect a response before it has sent something. */
  #refuse(socket: Socket): void {
    if (this.#extra >= MAX_EXTRA) {
      const [dropped = socket] = this.#silent;
      this.#options.onLimit('dropped');
      this.#forget(dropped.destroy());
      if (dropped === socket) return;
    }
    this.#options.onLimit('refused');
    this.#refused.add(socket);
    this.#silent.add(socket);
    // The event loop may be late, and the first bytes already there.
    const timer = setTimeout(
      () => afterReading(() => socket.bytesRead === 0 && socket.destroy()),
      REFUSAL_MS,
    );
    socket.once('close', () => {
      clearTimeout(timer);
      this.#forget(socket);
    });
    socket.on('error', () => socket.destroy());
    socket.once('data', () => {
      clearTimeout(timer);
      this.#silent.delete(socket);
      rejectConnection(socket, overloaded(RETRY_MS));
    });
  }

  #forget(refused: Socket): void {
    this.#refused.delete(refused);
    this.#silent.delete(refused);
  }
}
