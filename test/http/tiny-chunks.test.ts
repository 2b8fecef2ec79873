import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { ChunkAllowance } from '../../host/upload/chunk-allowance.ts';
import { DEADLINE_MS, picture, Service, wireBody, wireHead } from './service.ts';
import { noise } from './support/noise.ts';
import { exchangeRaw } from './support/raw-request.ts';

const letters = picture('letters.gif');
const LAST = '0\r\n\r\n';
/** More than any body may have. */
const MANY = 100_000;

/** The headers of a request whose body comes in chunks. */
const chunkedHead = (key: string, more = '') =>
  wireHead(key, 0).replace('Content-Length: 0', `${more}Transfer-Encoding: chunked`);

/** Bytes in chunks of so many. */
function inChunks(bytes: Buffer, length: number): Buffer {
  const pieces: (string | Buffer)[] = [];
  for (let at = 0; at < bytes.length; at += length) {
    const piece = bytes.subarray(at, at + length);
    pieces.push(`${piece.length.toString(16)}\r\n`, piece, '\r\n');
  }
  return Buffer.concat(pieces.map((piece) => Buffer.from(piece)));
}

describe('a body in very short chunks', () => {
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.stop());

  test('is refused, and its connection closed', async () => {
    const body = wireBody(Buffer.alloc(MANY));
    const request = [chunkedHead(service.keys.enterprise), inChunks(body, 1), LAST];
    const text = await exchangeRaw(service.port, Buffer.concat(request.map((piece) => Buffer.from(piece))));
    assert.match(text, /^HTTP\/1\.1 400 .*\r\nConnection: close\r\n.*"code":"bad_request"/s);
    assert.match(text, /too many short chunks/);
  });

  test('is accepted if it is short, or if they are no shorter than programs send', async () => {
    for (const [length, bytes] of [
      [1, 1_000],
      [80, 1_000_000],
    ] as const) {
      const body = wireBody(Buffer.concat([letters, Buffer.alloc(Math.max(0, bytes - letters.length))]));
      const head = chunkedHead(service.keys.enterprise, 'Connection: close\r\n');
      const request = [head, inChunks(body, length), LAST].map((piece) => Buffer.from(piece));
      assert.match(await exchangeRaw(service.port, Buffer.concat(request)), /^HTTP\/1\.1 200 /);
    }
  });

  test('is not parsed once the request is refused, and its end closes the connection', async () => {
    const head = chunkedHead('wrong', 'X-Request-Id: unparsed\r\n');
    const socket = connect(service.port, '127.0.0.1', () => socket.write(head)).on('error', () => {});
    const signal = AbortSignal.timeout(DEADLINE_MS);
    const [response] = await once(socket, 'data', { signal });
    assert.match(String(response), /^HTTP\/1\.1 401 /);
    const body = `${'1\r\na\r\n'.repeat(MANY)}${LAST}`;
    socket.resume().write(body);
    await once(socket, 'close', { signal });
    await service.untilLogged('"unparsed"');
    const line = service.log.find((entry) => entry.includes('"unparsed"')) ?? '';
    assert.equal(JSON.parse(line).requestBytes, 0, line);
  });
});

test('a body in chunks that never gets its turn is not parsed', async (t) => {
  const service = await Service.start();
  t.after(() => service.stop());
  const { enterprise } = service.keys;
  const hard = wireBody(noise(600, 600));
  const socket = connect(service.port, '127.0.0.1').on('error', () => {});
  socket.write(Buffer.concat([Buffer.from(wireHead(enterprise, hard.length)), hard]));
  socket.write(chunkedHead(enterprise));
  await service.untilMetric('tracesmith_discarded_requests_total', 1);
  socket.write('this is no chunk\r\n');
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  await once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
  assert.match(text, /^HTTP\/1\.1 200 .*"processingTime":[\d.]+\}$/s);
  const metrics = await service.metrics();
  assert.doesNotMatch(metrics, /^tracesmith_rejected_connections_total\{.* [1-9]/m);
});

describe('the allowance of chunks', () => {
  /** How many of these chunks, again and again, are allowed. */
  const allowed = (lengths: number[], most: number) => {
    const allowance = new ChunkAllowance();
    for (let count = 0; count < most; count++)
      if (!allowance.take(lengths[count % lengths.length] ?? assert.fail())) return count;
    return most;
  };

  for (const [what, lengths] of Object.entries({
    'segments of TCP': [536],
    'lines of text': [0, 1, 80, 200, 90],
    'a long chunk after some short ones': [1, 1, 1, 1, 4_096],
  }))
    test(`does not end for ${what}`, () => assert.equal(allowed(lengths, 1_000_000), 1_000_000));

  test('ends for chunks of a few bytes', () => {
    for (const length of [0, 1, 8, 32]) assert.ok(allowed([length], MANY) < 10_000, `${length} bytes`);
  });

  test('does not grow with what was sent before', () => {
    const lengths = [20_000_000, ...Array<number>(MANY).fill(1)];
    assert.ok(allowed(lengths, lengths.length) < 10_000);
  });
});
