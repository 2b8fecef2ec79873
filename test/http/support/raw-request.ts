import { connect } from 'node:net';
import { DEADLINE_MS, MULTIPART, type ServiceResponse } from '../service.ts';

/** A request to be written as bytes. Headers are pairs, so that one can be repeated. */
export interface RawRequest {
  method: string;
  path: string;
  headers: [name: string, value: string][];
  body: Buffer;
}

export function rawRequest(key: string, body: Buffer): RawRequest {
  const headers: RawRequest['headers'] = [
    ['Host', 'localhost'],
    ['Authorization', `Bearer ${key}`],
    ['Content-Type', MULTIPART['content-type']],
    ['Content-Length', String(body.length)],
    ['Connection', 'close'],
  ];
  return { method: 'POST', path: '/v1/vectorize', headers, body };
}

export function bytesOf({ method, path, headers, body }: RawRequest): Buffer {
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`), body]);
}

/** Sends bytes and reads until the server closes the connection. */
export function exchangeRaw(port: number, bytes: Buffer | string): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = connect(port, 'localhost', () => socket.write(bytes));
    socket.setTimeout(DEADLINE_MS, () => socket.destroy(new Error(`no end of: ${text}`)));
    socket.on('data', (data) => {
      text += data;
      // After a complete request, the server keeps the connection open.
      if (/connection: keep-alive/i.test(text)) socket.end();
    });
    socket.on('error', reject).on('close', () => resolve(text));
  });
}

/** Parses the bytes of a response. */
export function parseResponse(received: string): ServiceResponse {
  const at = received.indexOf('\r\n\r\n');
  const [status = '', ...lines] = received.slice(0, at).split('\r\n');
  const text = received.slice(at + '\r\n\r\n'.length);
  const pairs = lines.map((line) => /^([^:]+): ?(.*)$/.exec(line) ?? []);
  const headers = Object.fromEntries(pairs.map(([, name = '', value = '']) => [name.toLowerCase(), value]));
  const isJson = String(headers['content-type']).includes('json');
  return { status: Number(status.split(' ')[1]), headers, text, json: isJson ? JSON.parse(text) : {} };
}
