import assert from 'node:assert/strict';
import fc from 'fast-check';
import { PROBLEM_CODES } from '../../../host/errors/catalog.ts';
import { BOUNDARY, picture } from '../../http/service.ts';
import type { Answer, exchange } from './client.ts';

/** Longer than any of these requests takes. */
const ANSWER_MS = 20_000;
const letters = picture('letters.gif');

/** How often to try, and with which random numbers. */
export interface Trials {
  runs: number;
  seed: number;
}

/** Where requests go, and by which function. */
export interface Target {
  port: number;
  key: string;
  send: typeof exchange;
}

/** Each sends requests of one kind, and fails at one whose answer is wrong; fast-check then finds the shortest such. */
export const PROPERTIES: Record<string, (target: Target, trials: Trials) => Promise<void>> = {
  'any multipart body': (target, trials) =>
    check(trials, multipart(), (request) => sendBody(target, request)),
  'any config': (target, trials) => check(trials, configText(), (text) => sendConfig(target, text)),
  'any request line and headers': (target, trials) =>
    check(trials, requestHead(target.key), (head) => sendHead(target, head)),
};

async function check<T>(
  { runs, seed }: Trials,
  arbitrary: fc.Arbitrary<T>,
  send: (value: T) => Promise<void>,
): Promise<void> {
  await fc.assert(fc.asyncProperty(arbitrary, send), { numRuns: runs, seed });
}

/** An answer is a success, or a problem document about the request or, under load, 503. */
function assertAnswered(answer: Answer | undefined, what: string): void {
  assert.ok(answer, `${what}: no answer`);
  const { status, headers, text } = answer;
  const all = `${what}: ${status} ${text.slice(0, 300)}`;
  assert.ok((status >= 200 && status < 500) || status === 503, all);
  if (status < 400) return;
  assert.equal(headers['content-type'], 'application/problem+json', all);
  assert.equal(headers['cache-control'], 'no-store', all);
  const problem = JSON.parse(Buffer.from(text, 'latin1').toString());
  assert.equal(problem.status, status, all);
  assert.ok((PROBLEM_CODES as string[]).includes(problem.code), all);
  assert.equal(problem.requestId, headers['x-request-id'], all);
}

async function sendBody(
  { port, key, send }: Target,
  { body, type }: { body: Buffer; type: string },
): Promise<void> {
  const head = [
    'POST /v1/vectorize HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${key}`,
    `Content-Type: ${type}`,
    `Content-Length: ${body.length}`,
    'Connection: close',
    '\r\n',
  ].join('\r\n');
  const { answers } = await send(port, Buffer.concat([Buffer.from(head), body]), {
    deadlineMs: ANSWER_MS,
  });
  assertAnswered(answers[0], 'multipart');
}

async function sendConfig(target: Target, text: string): Promise<void> {
  const parts = [
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="config"\r\n\r\n${text}\r\n`,
    `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n`,
    letters,
    `\r\n--${BOUNDARY}--\r\n`,
  ];
  const body = Buffer.concat(parts.map((piece) => Buffer.from(piece as string)));
  await sendBody(target, { body, type: `multipart/form-data; boundary=${BOUNDARY}` });
}

async function sendHead({ port, send }: Target, head: Buffer): Promise<void> {
  const { answers, end } = await send(port, head, { deadlineMs: ANSWER_MS });
  assert.notEqual(end, 'deadline', 'neither an answer nor an end');
  assertAnswered(answers[0], 'head');
}

const DISPOSITIONS = [
  'Content-Disposition: form-data; name="file"; filename="a"',
  'Content-Disposition: form-data; name="config"',
  'Content-Disposition: form-data; name="config"; filename="c"',
  'Content-Disposition: form-data',
  'Content-Type: image/png',
  'Content-Type: multipart/mixed; boundary=b',
  'Content-Transfer-Encoding: base64',
];

const asBuffer = (bytes: Uint8Array) => Buffer.from(bytes);
const latin1 = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((bytes) => asBuffer(bytes).toString('latin1'));

function partBytes(): fc.Arbitrary<Buffer> {
  const header = fc.oneof(
    { weight: 8, arbitrary: fc.constantFrom(...DISPOSITIONS) },
    { weight: 1, arbitrary: latin1(60) },
    { weight: 1, arbitrary: fc.tuple(latin1(9), latin1(40)).map((pair) => pair.join(': ')) },
  );
  const content = fc.oneof(
    fc.constant(letters),
    fc.json({ maxDepth: 3 }).map((text) => Buffer.from(text)),
    fc.uint8Array({ maxLength: 300 }).map(asBuffer),
    fc
      .constantFrom('{}', `--${BOUNDARY}`, `\r\n--${BOUNDARY}`, '\r\n\r\n', '')
      .map((text) => Buffer.from(text)),
  );
  const lineEnd = fc.oneof(
    { weight: 9, arbitrary: fc.constant('\r\n') },
    { weight: 1, arbitrary: fc.constantFrom('\n', '\r', '', ' \r\n', '--\r\n') },
  );
  return fc
    .tuple(fc.array(header, { maxLength: 4 }), content, lineEnd, lineEnd)
    .map(([headers, body, first, last]) => {
      const head = `--${BOUNDARY}${first}${headers.map((line) => `${line}\r\n`).join('')}\r\n`;
      return Buffer.concat([Buffer.from(head, 'latin1'), body, Buffer.from(last)]);
    });
}

/** Bodies that are nearly well-formed: parts of all kinds, then a few bytes changed, and the end cut off or not. */
function multipart(): fc.Arbitrary<{ body: Buffer; type: string }> {
  const changes = fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 });
  const type = fc.oneof(
    { weight: 9, arbitrary: fc.constant(`multipart/form-data; boundary=${BOUNDARY}`) },
    { weight: 1, arbitrary: fc.constantFrom('multipart/form-data', 'multipart/form-data; boundary=""') },
    { weight: 1, arbitrary: fc.constant(`Multipart/Form-Data; x=y; boundary="${BOUNDARY}"; z`) },
  );
  return fc
    .record({
      parts: fc.array(partBytes(), { maxLength: 4 }),
      end: fc.constantFrom(`--${BOUNDARY}--\r\n`, `--${BOUNDARY}--`, `--${BOUNDARY}`, ''),
      changes,
      keep: fc.oneof({ weight: 4, arbitrary: fc.constant(1) }, fc.double({ min: 0, max: 1, noNaN: true })),
      type,
    })
    .map(({ parts, end, changes, keep, type }) => {
      const all = Buffer.concat([...parts, Buffer.from(end)]);
      for (const [at, byte] of changes) if (all.length > 0) all[at % all.length] = byte;
      return { body: all.subarray(0, Math.ceil(all.length * keep)), type };
    });
}

const OPTIONS = ['colorMode', 'filterSpeckle', 'colorPrecision', 'layerDifference', 'cornerThreshold']
  .concat(['lengthThreshold', 'spliceThreshold', 'mode', 'palette', 'maxColors', 'background', 'threshold'])
  .concat(['preset', 'width', 'height', 'pathPrecision', 'groupBy', 'layering', 'shapes', 'strokes']);

function configText(): fc.Arbitrary<string> {
  const key = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...OPTIONS) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 20 }) },
    { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString', '') },
  );
  const value = fc.oneof(
    fc.jsonValue({ maxDepth: 2 }),
    fc.double(),
    fc.integer({ min: -2, max: 300 }),
    fc.constantFrom('color', 'binary', 'spline', 'none', 'auto', '#ff0000', '1e999', 'paths', 'stacked'),
  );
  const object = fc.array(fc.tuple(key, value), { maxLength: 6 }).map((pairs) => {
    const members = pairs.map(([name, of]) => `${JSON.stringify(name)}:${JSON.stringify(of)}`);
    return `{${members.join(',')}}`;
  });
  const nested = fc.nat(8_000).map((depth) => `${'{"a":['.repeat(depth / 6)}`);
  return fc.oneof(
    { weight: 8, arbitrary: object },
    { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
    { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
    { weight: 1, arbitrary: nested },
    {
      weight: 1,
      arbitrary: fc.constantFrom('-0', '1e400', '{"mode":1e400}', '\ud800', '{}'.padEnd(16_384), ''),
    },
  );
}

/** Whole requests with at most five bytes of body, of known and unknown headers with fitting and unfitting values. */
function requestHead(key: string): fc.Arbitrary<Buffer> {
  const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,20}$/);
  const name = fc.oneof(
    fc.constantFrom(
      'Authorization',
      'Content-Type',
      'Content-Length',
      'Transfer-Encoding',
      'Accept',
      'Expect',
    ),
    fc.constantFrom(
      'Connection',
      'Upgrade',
      'X-Request-Id',
      'Origin',
      'Host',
      'traceparent',
      'Content-Encoding',
    ),
    fc.constantFrom('Access-Control-Request-Method', 'X-Forwarded-For', 'Forwarded', 'Keep-Alive', 'Cookie'),
    token,
  );
  const value = fc.oneof(
    fc.constantFrom(
      '',
      '0',
      '5',
      '-1',
      '*/*',
      'text/html;q=0',
      'image/svg+xml',
      'close',
      'keep-alive',
      'chunked',
    ),
    fc.constantFrom(
      '100-continue',
      'websocket',
      'h2c',
      'multipart/form-data; boundary=a',
      `Bearer ${key}`,
      'Bearer',
    ),
    fc.constantFrom(
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
      '1.2.3.4',
      'for=_a;by="[::1]"',
    ),
    latin1(40),
    fc.nat(9_000).map((length) => 'a'.repeat(length)),
  );
  const path = fc.oneof(
    fc.constantFrom(
      '/',
      '/v1/vectorize',
      '/livez',
      '/readyz',
      '/docs',
      '/openapi.json',
      '*',
      '//',
      '/%00',
      '/..%2f',
    ),
    fc.webPath(),
    fc.webUrl(),
    token.map((text) => `/${text}`),
  );
  // HEAD: its answer has a length but no body.
  const method = fc.constantFrom(
    'GET',
    'POST',
    'PUT',
    'OPTIONS',
    'TRACE',
    'PATCH',
    'DELETE',
    'CONNECT',
    'PRI',
    'get',
  );
  const version = fc.oneof(
    { weight: 9, arbitrary: fc.constant('1.1') },
    fc.constantFrom('1.0', '0.9', '2.0', '1', 'x'),
  );
  const hosts = fc.constantFrom(
    ['Host: a'],
    ['Host: a'],
    ['Host: a'],
    [],
    ['Host: a', 'Host: a'],
    ['Host: '],
  );
  return fc
    .tuple(method, path, version, hosts, fc.array(fc.tuple(name, value), { maxLength: 8 }))
    .map(([verb, target, number, host, headers]) => {
      const lines = [`${verb} ${target} HTTP/${number}`, ...host, ...headers.map((pair) => pair.join(': '))];
      // The last bytes are an empty chunk, or the five bytes of a body, or the start of an invalid request.
      return Buffer.from(`${lines.join('\r\n')}\r\n\r\n0\r\n\r\n`, 'latin1');
    });
}
