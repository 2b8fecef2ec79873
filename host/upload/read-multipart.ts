import type { IncomingMessage } from 'node:http';
import busboy from 'busboy';
import type { Settings } from '../config/settings.ts';
import { bodyTimeout, fileTooLarge } from '../errors/details.ts';
import { problem } from '../errors/problem.ts';
import type { Release } from '../limits/release.ts';
import { addBodyBytes } from '../observability/body-size.ts';
import { boundaryOf, DelimiterCounter } from './boundary.ts';
import { ChunkAllowance } from './chunk-allowance.ts';
import { ChunkJoiner } from './chunk-joiner.ts';
import { MultipartParts, type Upload } from './multipart-parts.ts';

/** Allowance for the delimiters and part headers around the two parts. */
const FRAMING_BYTES = 64 * 1024;

/** What the request headers say about the body. */
export interface BodyHeaders {
  boundary: string;
  /** The maximum size of the body. */
  maxBytes: number;
}

/** Checks Content-Type, Content-Encoding and Content-Length before the body is read. Throws problems. */
export function checkBodyHeaders(request: IncomingMessage, settings: Settings): BodyHeaders {
  const {
    'content-type': type = '',
    'content-encoding': encoding,
    'content-length': length,
  } = request.headers;
  if (!/^multipart\/form-data\s*(;|$)/i.test(type)) throw problem('no_multipart');
  if (encoding !== undefined && encoding !== 'identity') throw problem('compressed_body');
  const boundary = boundaryOf(type);
  if (boundary === undefined) throw problem('missing_boundary');
  const maxBytes = settings.maxFileBytes + settings.maxConfigBytes + FRAMING_BYTES;
  if (length !== undefined && Number(length) > maxBytes) throw fileTooLarge(settings.maxFileBytes);
  return { boundary, maxBytes: length === undefined ? maxBytes : Number(length) };
}

interface ReadOptions<Config> {
  request: IncomingMessage;
  headers: BodyHeaders;
  settings: Settings;
  /** Aborted when the client disconnects. */
  signal: AbortSignal;
  /** Called with what ends the reading with an error. What it returns is called when the reading has ended. */
  enter(reject: (error: unknown) => void): Release;
  /** Called as soon as the `config` part is complete; may throw. */
  parseConfig(text: string): Config;
}

/**
 * Reads a multipart body. Throws problems, or the signal's reason. After an error the request stays readable, so that
 * the rest of the body can be drained. (A stream pipeline would destroy it, and the client would see a reset instead of
 * the response.)
 */
export async function readMultipart<Config>(options: ReadOptions<Config>): Promise<Upload<Config>> {
  const { request, headers, settings, signal } = options;
  const parts = new MultipartParts(settings, options.parseConfig);
  const counter = new DelimiterCounter(headers.boundary);
  const parser = createParser(headers.boundary, settings);
  let stop = () => {};
  try {
    await new Promise<void>((resolve, reject) => {
      const onAbort = () => reject(signal.reason);
      const onTimeout = () => reject(bodyTimeout(settings.bodyTimeoutMs));
      const timer = setTimeout(onTimeout, settings.bodyTimeoutMs);
      const leave = options.enter(reject);
      stop = () => {
        leave();
        clearTimeout(timer);
        signal.removeEventListener('abort', onAbort);
      };
      if (signal.aborted) onAbort();
      signal.addEventListener('abort', onAbort);
      collectParts(parser, parts, counter, reject);
      parser.once('close', resolve);
      feedParser(request, parser, { counter, maxBytes: headers.maxBytes, settings, reject });
    });
  } finally {
    stop();
    request.removeAllListeners('data').pause();
    parser.destroy();
  }
  if (counter.count !== parts.count + 1) throw problem('unnamed_part');
  return parts.result();
}

function createParser(boundary: string, settings: Settings): busboy.Busboy {
  // busboy reports a file or field of exactly the limit as too long.
  const limits = {
    fileSize: Math.max(settings.maxFileBytes, settings.maxConfigBytes) + 1,
    fieldSize: settings.maxConfigBytes + 1,
  };
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` };
  // For the names of parts in messages; busboy's default is Latin-1.
  return busboy({ headers, limits, defParamCharset: 'utf8' });
}

function collectParts<Config>(
  parser: busboy.Busboy,
  parts: MultipartParts<Config>,
  counter: DelimiterCounter,
  reject: (error: unknown) => void,
): void {
  const guard = (step: () => void) => {
    try {
      step();
    } catch (error) {
      reject(error);
    }
  };
  parser.on('field', (name, value, info) => guard(() => parts.addField(name, value, info)));
  parser.on('file', (name, stream, info) => guard(() => parts.addFile(name, stream, info, reject)));
  parser.on('error', (cause) =>
    reject(problem(counter.count === 0 ? 'absent_boundary' : 'malformed_multipart', { cause })),
  );
}

interface FeedOptions {
  counter: DelimiterCounter;
  maxBytes: number;
  settings: Settings;
  reject(error: unknown): void;
}

function feedParser(request: IncomingMessage, parser: busboy.Busboy, options: FeedOptions): void {
  let bytes = 0;
  const chunks = new ChunkAllowance();
  const isChunked = request.headers['transfer-encoding'] !== undefined;
  const joiner = new ChunkJoiner((chunk) => {
    options.counter.push(chunk);
    if (parser.destroyed || parser.write(chunk)) return;
    request.pause();
    parser.once('drain', () => request.resume());
  });
  parser.once('close', () => joiner.drop());
  request.on('data', (chunk: Buffer) => {
    addBodyBytes(request, chunk.length);
    bytes += chunk.length;
    if (bytes > options.maxBytes) return options.reject(fileTooLarge(options.settings.maxFileBytes));
    if (isChunked && !chunks.take(chunk.length)) {
      // At once, as there can be thousands more in what was received.
      request.removeAllListeners('data').pause();
      return options.reject(problem('tiny_chunks'));
    }
    joiner.push(chunk);
  });
  request.once('end', () => {
    joiner.flush();
    if (bytes === 0) options.reject(problem('empty_body'));
    else parser.end();
  });
}
