import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { Settings } from '../config/settings.ts';
import { Problem } from '../errors/problem.ts';
import { boundaryOf, DelimiterCounter } from './boundary.ts';
import { malformed, Parts, payloadTooLarge, type Upload } from './multipart-parts.ts';

/** What multipart adds around the two parts: delimiters and part headers. */
const FRAMING_BYTES = 64 * 1024;

/** What the headers say about the body. */
export interface BodyHeaders {
  boundary: string;
  /** Most bytes the body can have. */
  maxBytes: number;
}

/** Checks the headers before any of the body is read. */
export function checkBodyHeaders(request: IncomingMessage, settings: Settings): BodyHeaders {
  const {
    'content-type': type = '',
    'content-encoding': encoding,
    'content-length': length,
  } = request.headers;
  if (!/^multipart\/form-data\s*(;|$)/i.test(type) || (encoding !== undefined && encoding !== 'identity')) {
    throw new Problem('unsupported_media_type', 'Send the body as multipart/form-data, not compressed.');
  }
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw malformed('The Content-Type names no boundary.');
  const maxBytes = settings.maxFileBytes + settings.maxConfigBytes + FRAMING_BYTES;
  if (length !== undefined && Number(length) > maxBytes) throw payloadTooLarge(settings.maxFileBytes);
  return { boundary, maxBytes: length === undefined ? maxBytes : Number(length) };
}

interface Reading<Config> {
  request: IncomingMessage;
  headers: BodyHeaders;
  settings: Settings;
  /** Aborted when the caller goes away. */
  signal: AbortSignal;
  /** Sees the config part as soon as it is complete; may throw. */
  readConfig(text: string): Config;
}

/**
 * Reads the parts of a request. Throws problems, or the signal's reason; the request stays readable then, so that
 * its rest can be drained. (A pipeline would destroy it, and the caller would see a reset instead of the answer.)
 */
export async function readUpload<Config>(reading: Reading<Config>): Promise<Upload<Config>> {
  const { request, headers, settings, signal } = reading;
  const parts = new Parts(settings, reading.readConfig);
  const counter = new DelimiterCounter(headers.boundary);
  const parser = startParser(headers.boundary, settings);
  let stop = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      const timer = setTimeout(() => reject(tooSlow(settings.bodyTimeoutMs)), settings.bodyTimeoutMs);
      stop = () => {
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort);
      collect(parser, parts, reject);
      parser.once('close', resolve);
      feed(request, parser, { counter, maxBytes: headers.maxBytes, settings, reject });
    });
  } finally {
    stop();
    request.removeAllListeners('data').pause();
    parser.destroy();
  }
  if (counter.count !== parts.count + 1) throw malformed('A part has no usable Content-Disposition.');
  return parts.upload();
}

function startParser(boundary: string, settings: Settings): busboy.Busboy {
  // busboy counts a file of exactly the limit as too long, and a field too.
  const limits = {
    fileSize: Math.max(settings.maxFileBytes, settings.maxConfigBytes) + 1,
    fieldSize: settings.maxConfigBytes + 1,
  };
  return busboy({ headers: { 'content-type': `multipart/form-data; boundary="${boundary}"` }, limits });
}

function collect<Config>(
  parser: busboy.Busboy,
  parts: Parts<Config>,
  reject: (error: unknown) => void,
): void {
  const guard = (step: () => void) => {
    try {
      step();
    } catch (error) {
      reject(error);
    }
  };
  parser.on('field', (name, value, info) => guard(() => parts.field(name, value, info)));
  parser.on('file', (name, stream, info) => guard(() => parts.stream(name, stream, info, reject)));
  parser.on('error', (error) => reject(malformed('The body is not well-formed multipart/form-data.', error)));
}

interface Feeding {
  counter: DelimiterCounter;
  maxBytes: number;
  settings: Settings;
  reject(error: unknown): void;
}

function feed(request: IncomingMessage, parser: busboy.Busboy, feeding: Feeding): void {
  let bytes = 0;
  request.on('data', (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > feeding.maxBytes) return feeding.reject(payloadTooLarge(feeding.settings.maxFileBytes));
    feeding.counter.push(chunk);
    if (parser.destroyed || parser.write(chunk)) return;
    request.pause();
    parser.once('drain', () => request.resume());
  });
  request.once('end', () => parser.end());
}

function tooSlow(timeoutMs: number): Problem {
  return new Problem('request_timeout', `The body did not arrive within ${timeoutMs / 1000} s.`);
}
