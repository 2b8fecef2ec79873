import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { DEADLINE_MS, form, MULTIPART, picture, Service, wireBody, wireHead } from './service.ts';
import { noise } from './support/noise.ts';

const logo = picture('logo.png');
const body = wireBody(logo);
const codeOf = (response: { status: number; json: { code?: string } }) =>
  `${response.status} ${response.json.code ?? ''}`.trim();

/** A connection that has sent the headers of a request and the first bytes of its body. */
async function startUpload(service: Service, key: string, bytes = body.subarray(0, 500)): Promise<Socket> {
  const socket = connect(service.port, 'localhost');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(wireHead(key, body.length), () => resolve()));
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return socket;
}

/** Everything a connection receives until it closes or `enough` matches. */
function received(socket: Socket, enough = /\r\n\r\n\{.*\}/s): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    const timer = setTimeout(() => reject(new Error(`only received ${text}`)), DEADLINE_MS);
    const done = () => {
      clearTimeout(timer);
      resolve(text);
    };
    socket.on('close', done).on('data', (data) => {
      text += data;
      if (enough.test(text)) done();
    });
  });
}

describe('rate and concurrency limits', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({ TRACESMITH_FREE_CONCURRENCY: '10000' });
  });
  after(() => service.stop());

  test('of 1,000 concurrent requests with a Free key, exactly 10 pass the rate limit', async () => {
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, () => service.post(body, { key: service.keys.free, headers: MULTIPART })),
    );
    const passed = responses.filter((response) => response.status === 200);
    const refused = responses.filter((response) => codeOf(response) === '429 rate_limited');
    assert.deepEqual([passed.length, refused.length], [10, 990]);
    const remaining = passed.map((response) => Number(response.headers['x-ratelimit-remaining']));
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    for (const { headers } of refused) {
      const waitS = Number(headers['retry-after']);
      assert.ok(waitS >= 1 && waitS <= 61, String(waitS));
      assert.equal(headers['x-ratelimit-remaining'], '0');
    }
    assert.equal((await service.post(form(logo))).status, 200, 'other accounts are not touched');
  });

  test('an error of the service does not count against the rate limit', async () => {
    const busy = await Service.start({ TRACESMITH_MAX_WAIT_MS: '1', TRACESMITH_WORKERS: '1' });
    try {
      const { pro } = busy.keys;
      const large = noise(700, 700);
      const slow = busy.post(form(large));
      await busy.untilMetric('tracesmith_jobs_running', 1);
      const refused = await busy.post(form(large), { key: pro });
      assert.equal(codeOf(refused), '503 overloaded');
      assert.ok(Number(refused.headers['retry-after']) >= 1);
      assert.equal(refused.headers['x-ratelimit-remaining'], '100');
      assert.equal((await slow).status, 200);
    } finally {
      await busy.stop();
    }
  });

  test('a Pro key allows eight concurrent uploads; the ninth is rejected until one ends', async () => {
    const { custom } = service.keys;
    const sockets = await Promise.all(Array.from({ length: 8 }, () => startUpload(service, custom)));
    await sleep(200);
    const ninth = await service.post(form(logo), { key: custom });
    assert.equal(codeOf(ninth), '429 concurrency_limited');
    assert.equal(ninth.headers['retry-after'], '1');
    sockets[0]?.write(body.subarray(500));
    assert.match(await received(sockets[0] as Socket), /^HTTP\/1\.1 200 /);
    assert.equal((await service.post(form(logo), { key: custom })).status, 200);
    for (const socket of sockets) socket.destroy();
  });
});

describe('an early error reaches a client that is still sending', () => {
  const LARGE_BYTES = 30_000_000;
  const pieces = function* () {
    for (let sent = 0; sent < LARGE_BYTES; sent += 100_000) yield Buffer.alloc(100_000);
  };
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.stop());

  test('undici, chunked, too large', async () => {
    const opening = Buffer.from(
      '--a-boundary\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\n',
    );
    const stream = Readable.from(
      (function* () {
        yield opening;
        yield* pieces();
      })(),
    );
    assert.equal(codeOf(await service.post(stream, { headers: MULTIPART })), '413 payload_too_large');
  });

  test('undici, declared, wrong key', async () => {
    const response = await service.post(Buffer.alloc(LARGE_BYTES), { key: 'wrong', headers: MULTIPART });
    assert.equal(codeOf(response), '401 invalid_api_key');
  });

  test('a client that reads only after sending everything', async () => {
    const socket = connect(service.port, 'localhost').pause();
    socket.write(wireHead(service.keys.pro, LARGE_BYTES));
    for (const piece of pieces()) socket.write(piece);
    await new Promise<void>((resolve) => socket.write('', () => resolve()));
    const text = received(socket);
    socket.resume();
    assert.match(await text, /^HTTP\/1\.1 413 .*payload_too_large/s);
    socket.destroy();
  });

  test('curl, with and without Expect: 100-continue', async (t) => {
    const run = promisify(execFile);
    if (!(await run('curl', ['--version']).catch(() => undefined))) return t.skip('no curl here');
    for (const expect of ['Expect: 100-continue', 'Expect:']) {
      const args = ['-sS', `${service.url}/v1/vectorize`, '-H', 'Authorization: Bearer wrong', '-H', expect];
      const child = run('curl', [...args, '-F', 'file=@-;filename=a'], { timeout: DEADLINE_MS });
      child.child.stdin?.on('error', () => {}).end(Buffer.alloc(LARGE_BYTES));
      assert.match((await child).stdout, /"code":"invalid_api_key"/);
    }
  });
});

describe('slow clients', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({
      TRACESMITH_BODY_TIMEOUT_MS: '700',
      TRACESMITH_HEADERS_TIMEOUT_MS: '500',
    });
  });
  after(() => service.stop());

  test('a body that does not arrive times out', async () => {
    const socket = await startUpload(service, service.keys.custom);
    assert.match(await received(socket), /^HTTP\/1\.1 408 .*request_timeout/s);
    socket.destroy();
  });

  test('headers that do not arrive time out', async () => {
    const socket = connect(service.port, 'localhost', () =>
      socket.write('POST /v1/vectorize HTTP/1.1\r\nHost:'),
    );
    assert.match(await received(socket), /^HTTP\/1\.1 408 .*request_timeout/s);
  });
});

const isLinux = process.platform === 'linux';
test('memory does not grow with requests', { skip: !isLinux && 'reads /proc' }, async () => {
  const service = await Service.start();
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += 20) {
      const responses = await Promise.all(Array.from({ length: 20 }, () => service.post(form(logo))));
      assert.deepEqual([...new Set(responses.map(codeOf))], ['200']);
    }
  };
  try {
    await send(400);
    const before = service.residentBytes;
    await send(800);
    // Each image has 256 KiB of pixels: a leak of all would be 200 MiB.
    const after = service.residentBytes;
    assert.ok(after - before < 120 * 1024 * 1024, `${before} → ${after}`);
  } finally {
    await service.stop();
  }
});
