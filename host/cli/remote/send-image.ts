import type { Options } from 'tracesmith-wasm';
import type { ProblemCode } from '../../errors/catalog.ts';
import { SVG_TYPE } from '../../http/content-negotiation.ts';
import type { Failure } from '../failure.ts';

/** Longer than the service takes with its default limits: upload, queue, processing and response. */
const REQUEST_TIMEOUT_MS = 150_000;
/** Guards the memory against a server that never stops sending. */
const MAX_RESPONSE_BYTES = 1024 ** 3;
/** How much of an unexpected response is quoted. */
const QUOTE_LENGTH = 100;

/**
 * What a failed request says about the next one. `image`: this image fails everywhere. `host`: the host accepts no image.
 * `concurrency`: the host accepts no more requests at the same time. `later`: the host accepts none for a while. `slow`: the
 * host took too long for this image. `fault`: the request or the host broke.
 */
export type Verdict = 'image' | 'host' | 'concurrency' | 'later' | 'slow' | 'fault';

/** A request got no SVG. */
export class RequestFailed extends Error {
  readonly verdict: Verdict;
  readonly failure: Failure;
  /** The delay that the host asks for. */
  readonly retryAfterMs: number | undefined;

  constructor(verdict: Verdict, failure: Failure, retryAfterMs?: number) {
    super(failure.message);
    this.verdict = verdict;
    this.failure = failure;
    this.retryAfterMs = retryAfterMs;
  }
}

/** The form to post, encoded once for all attempts. */
export interface Body {
  contentType: string;
  bytes: Uint8Array<ArrayBuffer>;
}

/** Encodes an image and its options as multipart/form-data. */
export async function encodeBody(file: Uint8Array<ArrayBuffer>, options: Options): Promise<Body> {
  const form = new FormData();
  form.set('file', new Blob([file]), 'image');
  if (Object.keys(options).length > 0) form.set('config', JSON.stringify(options));
  const encoded = new Response(form);
  const contentType = String(encoded.headers.get('content-type'));
  return { contentType, bytes: new Uint8Array(await encoded.arrayBuffer()) };
}

/** The SVG, and the milliseconds that the host reports for each step. */
export interface Answer {
  svg: Uint8Array;
  timings: Map<string, number>;
}

/** Posts an image to a host. Throws `RequestFailed`. */
export async function sendImage(
  host: string,
  { contentType, bytes }: Body,
  { key, userAgent }: { key: string; userAgent: string },
): Promise<Answer> {
  const authorization = `Bearer ${key}`;
  const headers = { authorization, accept: SVG_TYPE, 'content-type': contentType, 'user-agent': userAgent };
  const signal = AbortSignal.timeout(REQUEST_TIMEOUT_MS);
  try {
    // A redirect is not followed: the key is for this host.
    const init: RequestInit = { method: 'POST', headers, body: bytes, redirect: 'manual', signal };
    const response = await fetch(`${host}/v1/vectorize`, init);
    const content = await readBody(response);
    if (response.status !== 200) throw refusal(host, response, content.toString());
    if (!isSvg(response, content)) throw unexpected(host, response, content.toString());
    return { svg: content, timings: readTimings(response.headers.get('server-timing') ?? '') };
  } catch (error) {
    throw error instanceof RequestFailed ? error : networkError(host, error);
  }
}

async function readBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > MAX_RESPONSE_BYTES) throw new Error('The response is longer than 1 GiB');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const isSvg = ({ headers }: Response, content: Buffer) =>
  headers.get('content-type')?.startsWith(SVG_TYPE) === true &&
  content.subarray(0, 4).toString() === '<svg' &&
  content.subarray(-6).toString() === '</svg>';

/** `decode;dur=1.5, trace;dur=20` */
function readTimings(header: string): Map<string, number> {
  const steps = header.matchAll(/(\w+);dur=([\d.]+)/g);
  return new Map(Array.from(steps, ([, step = '', ms]) => [step, Number(ms)]));
}

const VERDICTS: Partial<Record<ProblemCode, Verdict>> = {
  rate_limited: 'later',
  concurrency_limited: 'concurrency',
  overloaded: 'later',
  shutting_down: 'later',
  auth_unavailable: 'later',
  processing_timeout: 'slow',
  missing_credentials: 'host',
  invalid_authorization: 'host',
  invalid_api_key: 'host',
  not_found: 'host',
  method_not_allowed: 'host',
  not_acceptable: 'host',
};

/** The failure of a response that is not 200: by the code of its problem document, or by its status if a proxy sent it. */
function refusal(host: string, response: Response, text: string): RequestFailed {
  const { status, headers } = response;
  const { code, detail, requestId } = readProblem(text);
  if (code === undefined || detail === undefined) return unexpected(host, response, text);
  // 502 comes from a balancer, whatever its body: the process that handled the request ended.
  const verdict = status === 502 ? 'fault' : (VERDICTS[code as ProblemCode] ?? 'image');
  const message = verdict === 'image' ? detail : `${host}: ${detail}`;
  const failure = { code, message, host, status, ...(requestId === undefined ? {} : { requestId }) };
  return new RequestFailed(verdict, failure, readRetryAfter(headers.get('retry-after')));
}

const GATEWAY_FAULTS = [502, 504];
const GATEWAY_DELAYS = [429, 503];

/** The failure of a response that the service does not send: that of a proxy, a balancer or another server. */
function unexpected(host: string, { status, headers }: Response, text: string): RequestFailed {
  const location = headers.get('location');
  const quote = location === null ? JSON.stringify(text.slice(0, QUOTE_LENGTH)) : `redirect to ${location}`;
  const failure = { code: 'remote_error', message: `${host}: HTTP ${status}: ${quote}`, host, status };
  const retryAfterMs = readRetryAfter(headers.get('retry-after'));
  if (GATEWAY_DELAYS.includes(status) && retryAfterMs !== undefined)
    return new RequestFailed('later', failure, retryAfterMs);
  const isFault = GATEWAY_FAULTS.includes(status) || GATEWAY_DELAYS.includes(status);
  return new RequestFailed(isFault ? 'fault' : 'host', failure);
}

function readProblem(text: string): { code?: string; detail?: string; requestId?: string } {
  try {
    const { code, detail, requestId } = Object(JSON.parse(text));
    const isComplete = typeof code === 'string' && typeof detail === 'string';
    return isComplete ? { code, detail, ...(typeof requestId === 'string' ? { requestId } : {}) } : {};
  } catch {
    return {};
  }
}

/** Seconds or an HTTP date (RFC 9110, 10.2.3); undefined if it is missing or neither. */
function readRetryAfter(value: string | null): number | undefined {
  if (value === null || value === '') return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1_000 : Date.parse(value) - Date.now();
  return Number.isNaN(ms) ? undefined : Math.max(0, ms);
}

/** Errors of connections that pass. Others, such as an unknown host name or an invalid certificate, do not. */
const PASSING = new Set(
  ['ECONNREFUSED', 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'].concat(
    ['EAI_AGAIN', 'UND_ERR_SOCKET', 'UND_ERR_CONNECT_TIMEOUT', 'UND_ERR_HEADERS_TIMEOUT'],
    ['UND_ERR_BODY_TIMEOUT', 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH', 'HPE_INVALID_EOF_STATE'],
  ),
);

function networkError(host: string, error: unknown): RequestFailed {
  const isTimeout = error instanceof Error && error.name === 'TimeoutError';
  const { code, message } = rootCause(error);
  const text = isTimeout ? `no response within ${REQUEST_TIMEOUT_MS / 1_000} s` : message;
  const failure = { code: 'remote_unreachable', message: `${host} does not respond: ${text}.`, host };
  return new RequestFailed(isTimeout || PASSING.has(code ?? '') ? 'fault' : 'host', failure);
}

/** `fetch` wraps the error of the socket, and one that tried several addresses has an error for each. */
function rootCause(error: unknown): { code: string | undefined; message: string } {
  if (error instanceof AggregateError && error.errors.length > 0) return rootCause(error.errors[0]);
  if (error instanceof Error && error.cause instanceof Error) return rootCause(error.cause);
  const { code, message } = Object(error);
  return { code, message: String(message || code || error) };
}
