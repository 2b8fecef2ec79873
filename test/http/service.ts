import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Dispatcher, FormData, Response, request } from 'undici';
import { DEADLINE_MS, ServiceProcess, startService } from '../../scripts/processes/service.ts';
import { assertDocumented } from './support/documented.ts';

export { DEADLINE_MS, hashOf } from '../../scripts/processes/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

export const picture = (name: string): Buffer => readFileSync(join(ROOT, 'test/pictures', name));

/** An image of each of the five formats, and its size. */
export const PICTURES = [
  { name: 'logo.png', width: 256, height: 256 },
  { name: 'landscape.jpg', width: 320, height: 213 },
  { name: 'badge.webp', width: 160, height: 160 },
  { name: 'letters.gif', width: 200, height: 100 },
  { name: 'letters.bmp', width: 120, height: 60 },
] as const;

/** The service in its own process. Each response is checked against the OpenAPI document. */
export class Service extends ServiceProcess {
  static override async start(settings: Record<string, string> = {}): Promise<Service> {
    return new Service(await startService(settings));
  }

  /** Posts a form, or any body, to /v1/vectorize and reads the response. */
  async post(
    body: NonNullable<Sent['body']> | FormData,
    options: PostOptions = {},
  ): Promise<ServiceResponse> {
    const { key = this.keys.enterprise, headers = {} } = options;
    const authorization: Record<string, string> = key === '' ? {} : { authorization: `Bearer ${key}` };
    const sent = body instanceof FormData ? await encoded(body) : { type: {}, body };
    return this.#send('/v1/vectorize', {
      method: 'POST',
      headers: { ...authorization, ...sent.type, ...headers },
      body: sent.body,
    });
  }

  async get(
    path: string,
    method: Dispatcher.HttpMethod = 'GET',
    headers: Record<string, string> = {},
  ): Promise<ServiceResponse> {
    return this.#send(path, { method, headers });
  }

  async #send(path: string, options: Sent): Promise<ServiceResponse> {
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const response = await toResponse(await request(this.url + path, { ...options, signal }));
    assertDocumented(options.method, path, response);
    return response;
  }
}

/** The bytes of a form: undici 7's request() never finishes sending a FormData on Node.js 24. */
export async function encoded(form: FormData) {
  const response = new Response(form);
  const type = { 'content-type': String(response.headers.get('content-type')) };
  return { type, body: Buffer.from(await response.arrayBuffer()) };
}

type Sent = Pick<Dispatcher.RequestOptions, 'headers' | 'body'> & { method: Dispatcher.HttpMethod };

interface PostOptions {
  key?: string;
  headers?: Record<string, string>;
}

export interface ServiceResponse {
  status: number;
  headers: Record<string, string>;
  text: string;
  /** The body, if it is JSON. */
  json: {
    svg: string;
    processingTime: number;
    code: string;
    status: number;
    requestId: string;
    errors: { pointer: string; detail: string }[];
    maxPixels: number;
    maxSide: number;
  };
}

async function toResponse({ statusCode, headers, body }: Dispatcher.ResponseData): Promise<ServiceResponse> {
  const text = await body.text();
  const isJson = String(headers['content-type']).includes('json');
  return {
    status: statusCode,
    headers: headers as Record<string, string>,
    text,
    json: isJson && text !== '' ? JSON.parse(text) : {},
  };
}

/** A form with one image and, if given, a config. */
export function form(file: Uint8Array | string, config?: unknown, name = 'picture'): FormData {
  const data = new FormData();
  data.set('file', new Blob([file as Uint8Array<ArrayBuffer>]), name);
  if (config !== undefined) data.set('config', typeof config === 'string' ? config : JSON.stringify(config));
  return data;
}

export const BOUNDARY = 'a-boundary';
export const MULTIPART = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };

/** The bytes of one part, with the delimiter before it. */
export function part(headers: string[], content: Uint8Array | string): Buffer {
  const head = `--${BOUNDARY}\r\n${headers.map((header) => `${header}\r\n`).join('')}\r\n`;
  return Buffer.concat([Buffer.from(head), Buffer.from(content), Buffer.from('\r\n')]);
}

/** The bytes of a request line and headers. */
export const wireHead = (key: string, length: number): string =>
  [
    'POST /v1/vectorize HTTP/1.1',
    'Host: localhost',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${MULTIPART['content-type']}`,
    `Content-Length: ${length}`,
    '\r\n',
  ].join('\r\n');

export const END = Buffer.from(`--${BOUNDARY}--\r\n`);
export const FILE_HEADERS = [
  'Content-Disposition: form-data; name="file"; filename="a"',
  'Content-Type: image/png',
];

/** The bytes of a body with one file. */
export const wireBody = (file: Uint8Array): Buffer => Buffer.concat([part(FILE_HEADERS, file), END]);
