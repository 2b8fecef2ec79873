import { connect, type Socket } from 'node:net';
import { END, part, wireBody, wireHead } from '../../http/service.ts';

export const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** The bytes of an upload of one file. */
export function upload(key: string, file: Uint8Array): Buffer {
  const body = wireBody(file);
  return Buffer.concat([Buffer.from(wireHead(key, body.length)), body]);
}

/** The bytes of an upload whose options ask for every pixel's outline: its response is far larger than the image. */
export function largeAnswer(key: string, file: Uint8Array): Buffer {
  const config = { mode: 'none', filterSpeckle: 0, layerDifference: 0, colorPrecision: 8 };
  const body = Buffer.concat([
    part(['Content-Disposition: form-data; name="config"'], JSON.stringify(config)),
    wireBody(file),
  ]);
  return Buffer.concat([Buffer.from(wireHead(key, body.length)), body]);
}

/** The bytes of an upload with very many parts. */
export function manyParts(key: string, count: number, headers: string[]): Buffer {
  const one = part(headers, 'x');
  const body = Buffer.concat([...Array<Buffer>(count).fill(one), END]);
  return Buffer.concat([Buffer.from(wireHead(key, body.length)), body]);
}

/** Many requests in one write, mostly for large files. */
export const unreadFlood = Buffer.from(
  get('/playground/engine_gradients_bg.wasm').repeat(40) + get('/livez').repeat(1_500),
);

/** A connection that ignores errors, as an attacker does. Resolves when it is connected, or closed. */
export async function openSocket(port: number): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' }).on('error', () => {});
  await firstOf(socket, 'connect');
  return socket;
}

/** The value of an event, or of the socket's end. */
function firstOf(socket: Socket, event: string): Promise<unknown> {
  return new Promise((resolve) => {
    socket.once(event, resolve).once('close', resolve);
  });
}

export interface IdleConnection {
  socket: Socket;
  /** The status of the response to its only request, if it made one and was answered. */
  status: number | undefined;
}

/** Opens connections that made one request each, or none, and then are idle. */
export async function openIdle(port: number, count: number, request = ''): Promise<IdleConnection[]> {
  const connections: IdleConnection[] = [];
  for (let i = 0; i < count; i++) {
    const socket = await openSocket(port);
    const connection: IdleConnection = { socket, status: undefined };
    connections.push(connection);
    if (request === '' || socket.destroyed) continue;
    socket.write(request);
    const data = await firstOf(socket, 'data');
    const status = /^HTTP\/1\.1 (\d{3})/.exec(String(data))?.[1];
    if (status !== undefined) connection.status = Number(status);
  }
  return connections;
}

/** Sends a request and reads so many bytes of the response ten times a second, or nothing, until the socket is destroyed. */
export async function readSlowly(port: number, request: Buffer, bytesPerRead: number): Promise<Socket> {
  const socket = await openSocket(port);
  socket.write(request);
  if (bytesPerRead === 0) return socket;
  const timer = setInterval(() => socket.read(Math.min(bytesPerRead, socket.readableLength)), 100);
  return socket.once('close', () => clearInterval(timer));
}
