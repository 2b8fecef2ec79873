import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { type Dispatcher, FormData, Response, request } from 'undici';
import { generateKey } from '../../host/auth/api-key.ts';
import { assertDocumented } from './support/documented.ts';

/** The longest wait in these tests. */
export const DEADLINE_MS = 60_000;

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const TIERS = ['free', 'pro', 'enterprise'] as const;
/** A key of each tier, and one of Pro with its own rate limit. */
type Keys = Record<(typeof TIERS)[number] | 'custom', string>;

export const picture = (name: string): Buffer => readFileSync(join(ROOT, 'test/pictures', name));

/** An image of each of the five formats, and its size. */
export const PICTURES = [
  { name: 'logo.png', width: 256, height: 256 },
  { name: 'landscape.jpg', width: 320, height: 213 },
  { name: 'badge.webp', width: 160, height: 160 },
  { name: 'letters.gif', width: 200, height: 100 },
  { name: 'letters.bmp', width: 120, height: 60 },
] as const;

/** The service in its own process, on a free port, with an account of each tier. */
export class Service {
  readonly url: string;
  readonly port: number;
  readonly keys: Keys;
  readonly process: ReturnType<typeof spawn>;
  readonly keysFile: string;
  readonly #folder: string;
  /** All lines of the log. */
  readonly log: string[];

  readonly metricsUrl: string;

  private constructor([url, metrics]: [string, string], started: Started) {
    this.url = url;
    this.metricsUrl = metrics;
    this.port = Number(new URL(url).port);
    this.keys = started.keys;
    this.process = started.child;
    this.#folder = started.folder;
    this.keysFile = join(started.folder, 'keys.json');
    this.log = started.log;
  }

  static async start(settings: Record<string, string> = {}): Promise<Service> {
    const started = spawnService(settings);
    const input = started.child.stdout as NodeJS.ReadableStream;
    const lines = createInterface({ input, signal: AbortSignal.timeout(DEADLINE_MS) });
    const addresses: string[] = [];
    for await (const line of lines) {
      addresses.push(String(/http:\S+/.exec(line)?.[0]));
      if (addresses.length === 2) break;
    }
    const [url, metrics] = addresses;
    if (url !== undefined && metrics !== undefined) return new Service([url, metrics], started);
    started.child.kill();
    throw new Error(`the service did not start: ${started.log.join('\n')}`);
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null && this.process.signalCode === null) {
      const exit = once(this.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
      this.process.kill('SIGTERM');
      await exit.catch((error) => {
        // No process may outlive its test.
        this.process.kill('SIGKILL');
        throw error;
      });
    }
    rmSync(this.#folder, { recursive: true });
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

  /** The metrics in Prometheus's text format. */
  async metrics(): Promise<string> {
    const response = await request(this.metricsUrl, { signal: AbortSignal.timeout(DEADLINE_MS) });
    return response.body.text();
  }

  /** The sum of a metric over all labels. */
  async metric(name: string): Promise<number> {
    const lines = (await this.metrics()).split('\n').filter((line) => line.split(/[{ ]/, 1)[0] === name);
    return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
  }

  /** Resolves when a metric has a value, or one that a predicate accepts. */
  async untilMetric(name: string, expected: number | ((value: number) => boolean)): Promise<void> {
    const isRight = typeof expected === 'number' ? (value: number) => value === expected : expected;
    const deadline = Date.now() + DEADLINE_MS;
    for (let found = Number.NaN; !isRight(found); found = await this.metric(name)) {
      if (Date.now() > deadline) throw new Error(`${name} is ${found}, not ${expected}`);
      await sleep(20);
    }
  }

  /** The memory of the process, by the kernel of Linux. */
  get residentBytes(): number {
    const status = readFileSync(`/proc/${this.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  }

  /** Resolves when a line of the log contains a text: the log is written asynchronously. */
  async untilLogged(text: string): Promise<void> {
    const deadline = Date.now() + DEADLINE_MS;
    while (!this.log.some((line) => line.includes(text))) {
      if (Date.now() > deadline) throw new Error(`not logged: ${text}`);
      await sleep(20);
    }
  }

  /** The log line of a request, by its id. */
  async logOf(requestId: string): Promise<Record<string, unknown>> {
    const isItsLine = (line: string) =>
      line.includes(`"requestId":"${requestId}"`) && line.includes('"durationMs"');
    const deadline = Date.now() + DEADLINE_MS;
    for (;;) {
      const found = this.log.find(isItsLine);
      if (found !== undefined) return JSON.parse(found);
      if (Date.now() > deadline) throw new Error(`not logged: ${requestId}`);
      await sleep(20);
    }
  }

  /** Checks each response against the OpenAPI document. */
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

interface Started {
  child: ReturnType<typeof spawn>;
  keys: Keys;
  folder: string;
  log: string[];
}

function spawnService(settings: Record<string, string>): Started {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  const keys = { free: generateKey(), pro: generateKey(), enterprise: generateKey(), custom: generateKey() };
  const custom = { hash: hashOf(keys.custom), account: 'custom', tier: 'pro', limit: 10_000 };
  const rows = [custom, ...TIERS.map((tier) => ({ hash: hashOf(keys[tier]), account: tier, tier }))];
  const keysFile = join(folder, 'keys.json');
  writeFileSync(keysFile, JSON.stringify({ keys: rows }));
  const env = {
    ...process.env,
    PORT: '0',
    TRACESMITH_ADMIN_PORT: '0',
    TRACESMITH_WORKERS: '2',
    TRACESMITH_KEYS_FILE: keysFile,
    ...settings,
  };
  const child = spawn(process.execPath, ['--import', 'tsx', 'host/main.ts'], { cwd: ROOT, env });
  const log: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => log.push(line));
  return { child, keys, folder, log };
}

/** What a key file holds of a key. */
export const hashOf = (key: string) => createHash('sha256').update(key).digest('hex');

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
