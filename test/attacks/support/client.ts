import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINE_MS } from '../../http/service.ts';

/** A complete response. */
export interface Answer {
  status: number;
  headers: Record<string, string>;
  /** The start of the body. */
  text: string;
}

/**
 * How an exchange ended. `complete`: all expected responses arrived, and we closed the connection; `server`: the service
 * closed or reset it; `client`: we closed it early, as the attack demands; `deadline`: neither, for too long; `invalid`: what
 * arrived is no HTTP.
 */
export type End = 'complete' | 'server' | 'client' | 'deadline' | 'invalid';

export interface Outcome {
  answers: Answer[];
  end: End;
  /** How long the connection was open and silent before the first byte was sent. */
  silentMs: number;
}

export interface ExchangeOptions {
  /** The number of requests in the bytes: after as many responses, the connection is closed. */
  requests?: number;
  /** Sends so many bytes at a time, with a pause after each. */
  write?: { bytes: number; pauseMs: number };
  /** Reads nothing: the response stays in the operating system's memory, then in the service's. */
  isUnread?: boolean;
  /** Closes the connection after this time, without regard to what was sent or received. */
  leaveAfterMs?: number;
  deadlineMs?: number;
}

const KEPT_BODY_BYTES = 64 * 1024;

/** Splits what a connection receives into responses. Interim (1xx) responses are left out. */
export class AnswerReader {
  readonly answers: Answer[] = [];
  #rest: Buffer = Buffer.alloc(0);
  #open: { answer: Answer; bytesLeft: number } | undefined;
  #isInvalid = false;

  /** Returns false if the bytes are no response. */
  push(chunk: Buffer): boolean {
    this.#rest = Buffer.concat([this.#rest, chunk]);
    while (this.#open === undefined ? this.#readHead() : this.#readBody());
    return !this.#isInvalid;
  }

  #readHead(): boolean {
    const end = this.#rest.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [first = '', ...lines] = this.#rest.toString('latin1', 0, end).split('\r\n');
    this.#rest = this.#rest.subarray(end + 4);
    const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1]);
    this.#isInvalid = Number.isNaN(status);
    if (this.#isInvalid || status < 200) return !this.#isInvalid;
    const pairs = lines.map((line) => /^([^:]+): ?(.*)$/.exec(line) ?? []);
    const headers = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
    const bytesLeft = status === 204 ? 0 : Number(headers['content-length'] ?? 0);
    this.#open = { answer: { status, headers, text: '' }, bytesLeft };
    return true;
  }

  #readBody(): boolean {
    if (this.#open === undefined) return false;
    const { answer } = this.#open;
    const body = this.#rest.subarray(0, this.#open.bytesLeft);
    this.#rest = this.#rest.subarray(body.length);
    this.#open.bytesLeft -= body.length;
    if (answer.text.length < KEPT_BODY_BYTES) answer.text += body.toString('latin1');
    if (this.#open.bytesLeft > 0) return false;
    this.#open = undefined;
    this.answers.push(answer);
    return this.#rest.length > 0;
  }
}

/** Sends bytes over a connection of its own, and collects the responses. Never rejects. */
export async function exchange(
  port: number,
  bytes: Buffer | string,
  options: ExchangeOptions = {},
): Promise<Outcome> {
  const { requests = 1, leaveAfterMs, deadlineMs = DEADLINE_MS } = options;
  const startMs = performance.now();
  let silentMs = 0;
  const socket = connect({ port, host: '127.0.0.1' }, () => {
    silentMs = performance.now() - startMs;
  });
  const reader = new AnswerReader();
  const end = await new Promise<End>((resolve) => {
    const timers = [setTimeout(() => resolve('deadline'), deadlineMs)];
    if (leaveAfterMs !== undefined) timers.push(setTimeout(() => resolve('client'), leaveAfterMs));
    const onData = (data: Buffer) => {
      if (!reader.push(data)) resolve('invalid');
      if (reader.answers.length >= requests) resolve('complete');
    };
    const close = (how: End) => () => {
      for (const timer of timers) clearTimeout(timer);
      resolve(reader.answers.length >= requests ? 'complete' : how);
    };
    socket
      .on('error', () => {})
      .once('end', close('server'))
      .once('close', close('server'));
    void send(socket, bytes, options.write);
    if (options.isUnread !== true) socket.on('data', onData);
  });
  // While something is unread, this resets the connection.
  socket.destroy();
  return { answers: reader.answers, end, silentMs };
}

/** Sends requests one after the other over a connection that it keeps. Opens a new one when the service has closed it. */
export class KeptConnection {
  readonly #port: number;
  #socket: Socket | undefined;
  #silentSinceMs = 0;

  constructor(port: number) {
    this.#port = port;
  }

  /** Sends one request and collects its response. Never rejects. */
  async send(bytes: Buffer): Promise<Outcome> {
    const socket = await this.#open();
    const silentMs = performance.now() - this.#silentSinceMs;
    const reader = new AnswerReader();
    const end = await new Promise<End>((resolve) => {
      const timer = setTimeout(() => resolve('deadline'), DEADLINE_MS);
      const settle = (how: End) => {
        clearTimeout(timer);
        socket.off('data', onData).off('close', onClose);
        resolve(how);
      };
      const onData = (data: Buffer) => {
        if (!reader.push(data)) settle('invalid');
        else if (reader.answers.length > 0) settle('complete');
      };
      const onClose = () => settle('server');
      socket.on('data', onData).once('close', onClose);
      if (socket.destroyed) onClose();
      else socket.write(bytes);
    });
    this.#silentSinceMs = performance.now();
    if (end !== 'complete' || reader.answers[0]?.headers.connection === 'close') this.close();
    return { answers: reader.answers, end, silentMs };
  }

  close(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  async #open(): Promise<Socket> {
    if (this.#socket?.writable) return this.#socket;
    this.#silentSinceMs = performance.now();
    const socket = connect({ port: this.#port, host: '127.0.0.1' }).on('error', () => {});
    this.#socket = socket;
    await new Promise((resolve) => socket.once('connect', resolve).once('close', resolve));
    return socket;
  }
}

async function send(socket: Socket, bytes: Buffer | string, pace: ExchangeOptions['write']): Promise<void> {
  if (pace === undefined) return void socket.write(bytes);
  const all = Buffer.from(bytes);
  for (let at = 0; at < all.length && socket.writable; at += pace.bytes) {
    socket.write(all.subarray(at, at + pace.bytes));
    await sleep(pace.pauseMs);
  }
}
