import { BOUNDARY, wireBody } from '../../http/service.ts';

/**
 * Requests about which two HTTP parsers can disagree. A proxy that reads one of these differently would take the
 * bytes after it for a request of their own, or these bytes for a part of another client's request.
 */
export interface Shape {
  bytes: Buffer;
  /** Must be refused with 400 and closed; otherwise any client error will do. */
  isRefused: boolean;
}

/** Follows each shape. The service must never answer it. */
export const SMUGGLED = 'GET /readyz HTTP/1.1\r\nHost: a\r\n\r\n';

/** A body that is complete however it is read: as one chunk, or as so many bytes. */
const CHUNKED = '0\r\n\r\n';

interface Head {
  method?: string;
  target?: string;
  version?: string;
  lineEnd?: string;
}

function head(
  headers: string[],
  { method = 'POST', target = '/v1/vectorize', version = 'HTTP/1.1', lineEnd = '\r\n' }: Head = {},
): string {
  return [`${method} ${target} ${version}`, 'Host: a', ...headers, '', ''].join(lineEnd);
}

const lengths: Record<string, string[]> = {
  'two lengths': ['Content-Length: 5', 'Content-Length: 0'],
  'the same length twice': ['Content-Length: 5', 'Content-Length: 5'],
  'a list of lengths': ['Content-Length: 5, 5'],
  'a negative length': ['Content-Length: -1'],
  'a length with a sign': ['Content-Length: +5'],
  'a length in hexadecimal': ['Content-Length: 0x5'],
  'a length with a fraction': ['Content-Length: 5.0'],
  'a length with an exponent': ['Content-Length: 1e1'],
  'an empty length': ['Content-Length:'],
  'a length of two numbers': ['Content-Length: 5 5'],
  'a length of 2⁶⁴': ['Content-Length: 18446744073709551616'],
  'a length of 100 digits': [`Content-Length: ${'9'.repeat(100)}`],
  'a length with a NUL': ['Content-Length: 5\0'],
  'a length with a vertical tab': ['Content-Length: \x0b5'],
  'a length in other digits': ['Content-Length: ٥'],
};

const codings: Record<string, string[]> = {
  'length, then chunks': ['Content-Length: 5', 'Transfer-Encoding: chunked'],
  'chunks, then length': ['Transfer-Encoding: chunked', 'Content-Length: 5'],
  'chunks in capitals, and a length': ['TRANSFER-ENCODING: CHUNKED', 'content-length: 5'],
  'an unknown coding': ['Transfer-Encoding: xchunked'],
  identity: ['Transfer-Encoding: identity'],
  'chunked, identity': ['Transfer-Encoding: chunked, identity'],
  'identity, chunked': ['Transfer-Encoding: identity, chunked'],
  'gzip, chunked': ['Transfer-Encoding: gzip, chunked'],
  'gzip alone': ['Transfer-Encoding: gzip'],
  'chunked twice in a list': ['Transfer-Encoding: chunked, chunked'],
  'chunked in two headers': ['Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'],
  'chunked, then another header': ['Transfer-Encoding: chunked', 'Transfer-Encoding: x'],
  'an empty coding': ['Transfer-Encoding:'],
  'a quoted coding': ['Transfer-Encoding: "chunked"'],
  'a coding with a parameter': ['Transfer-Encoding: chunked;q=1'],
  'a coding after a vertical tab': ['Transfer-Encoding: \x0bchunked'],
  'a coding with a NUL': ['Transfer-Encoding: chunked\0'],
};

const lines: Record<string, string[]> = {
  'a space before the colon': ['Transfer-Encoding : chunked'],
  'a space before the name': [' Transfer-Encoding: chunked'],
  'a tab before the name': ['\tTransfer-Encoding: chunked'],
  'a folded header': ['X: a', ' Transfer-Encoding: chunked'],
  'a folded coding': ['Transfer-Encoding:', ' chunked', 'Content-Length: 5'],
  'a carriage return in a header': ['X: a\rTransfer-Encoding: chunked'],
  'a line feed in a header': ['X: a\nTransfer-Encoding: chunked', 'Content-Length: 5'],
  'a NUL in a header': ['X: a\0b'],
  'a NUL in a name': ['X\0: a'],
  'a header without a name': [': a'],
  'a header without a colon': ['hello'],
  'a space in a name': ['Content Length: 5'],
  'two hosts': ['Host: b'],
};

/** More headers than node:http passes on by default. Together they are shorter than the limit of their size. */
export const MANY_HEADERS = Array<string>(1_998).fill('a:b');

/** Behind so many headers, what is wrong is still found. */
const hidden: Record<string, string[]> = Object.fromEntries(
  Object.entries({ ...codings, 'two hosts': ['Host: b'] }).map(([name, headers]) => [
    `${name}, behind many headers`,
    [...MANY_HEADERS, ...headers],
  ]),
);

/** Chunked bodies that are not well-formed. */
const bodies: Record<string, string> = {
  'a negative chunk': '-1\r\na\r\n0\r\n\r\n',
  'a chunk size with 0x': '0x1\r\na\r\n0\r\n\r\n',
  'a chunk size with a space before': ' 1\r\na\r\n0\r\n\r\n',
  'a chunk size of 2⁶⁴': '10000000000000000\r\na\r\n0\r\n\r\n',
  'a chunk size that wraps': 'fffffffffffffffff\r\na\r\n0\r\n\r\n',
  'an empty chunk size': '\r\na\r\n0\r\n\r\n',
  'a chunk size of letters': 'xyz\r\na\r\n0\r\n\r\n',
  'a chunk longer than its size': '1\r\nabc\r\n0\r\n\r\n',
  'a chunk without its line end': '1\r\na0\r\n\r\n',
  'a line feed after a chunk size': '1\na\r\n0\r\n\r\n',
  'a carriage return after a chunk size': '1\ra\r\n0\r\n\r\n',
  'a line feed in an extension': '1;a\nb\r\na\r\n0\r\n\r\n',
  'an extension of 100 kB': `1;${'a'.repeat(100_000)}\r\na\r\n0\r\n\r\n`,
  'a trailer of 100 kB': `1\r\na\r\n0\r\nX: ${'a'.repeat(100_000)}\r\n\r\n`,
  'a trailer without a colon': '1\r\na\r\n0\r\nhello\r\n\r\n',
};

const starts: Record<string, string> = {
  'bare line feeds': head(['Content-Length: 5'], { lineEnd: '\n' }),
  'bare carriage returns': head(['Content-Length: 5'], { lineEnd: '\r' }),
  'HTTP/1.0 with chunks': head(['Transfer-Encoding: chunked'], { version: 'HTTP/1.0' }) + CHUNKED,
  'HTTP/0.9': 'GET /readyz\r\n\r\n',
  'HTTP/1.2': head([], { version: 'HTTP/1.2' }),
  'HTTP/2 with prior knowledge': 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n',
  'http in small letters': head([], { version: 'http/1.1' }),
  'a tab in the request line': head([], { method: 'POST\t' }),
  'a method in small letters': head([], { method: 'post' }),
  'an unknown method': head([], { method: 'VECTORIZE' }),
  'a space in the target': head([], { target: '/v1 /vectorize' }),
  'a NUL in the target': head([], { target: '/v1/\0' }),
  'no Host': 'POST /v1/vectorize HTTP/1.1\r\nContent-Length: 0\r\n\r\n',
  'a TLS greeting': '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03',
  'a proxy greeting': 'PROXY TCP4 1.1.1.1 2.2.2.2 1 2\r\nGET /readyz HTTP/1.1\r\nHost: a\r\n\r\n',
  'an SMTP greeting': 'EHLO a\r\nMAIL FROM:<a>\r\n',
};

/** All shapes, by name. `key`: valid, so that bodies are read. */
export function smugglingShapes(key: string): Record<string, Shape> {
  const refused = (bytes: string): Shape => ({ bytes: Buffer.from(bytes, 'utf8'), isRefused: true });
  const entries = (table: Record<string, string[]>, end: string) =>
    Object.entries(table).map(([name, headers]) => [name, refused(`${head(headers)}${end}`)] as const);
  const chunked = [
    `Authorization: Bearer ${key}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    'Transfer-Encoding: chunked',
  ];
  return Object.fromEntries([
    ...entries(lengths, CHUNKED),
    ...entries(codings, CHUNKED),
    ...entries(lines, CHUNKED),
    ...entries(hidden, CHUNKED),
    ...Object.entries(starts).map(([name, bytes]) => [name, refused(bytes)] as const),
    ...Object.entries(bodies).map(([name, body]) => {
      return [name, { bytes: Buffer.from(head(chunked) + body), isRefused: false }] as const;
    }),
  ]);
}

/** A valid request in chunks, with extensions and a trailer, which a second one may follow. */
export function validChunks(key: string, file: Uint8Array): Buffer {
  const body = wireBody(file);
  const headers = [
    `Authorization: Bearer ${key}`,
    `Content-Type: multipart/form-data; boundary=${BOUNDARY}`,
    'Transfer-Encoding: chunked',
  ];
  const sizes = [1, 2, 3, 100];
  const chunks: Buffer[] = [];
  for (let at = 0, i = 0; at < body.length; i++) {
    const bytes = body.subarray(at, at + (sizes[i] ?? 5_000));
    chunks.push(Buffer.from(`${bytes.length.toString(16)};a=b\r\n`), bytes, Buffer.from('\r\n'));
    at += bytes.length;
  }
  return Buffer.concat([Buffer.from(head(headers)), ...chunks, Buffer.from('0\r\nX-Trailer: a\r\n\r\n')]);
}
