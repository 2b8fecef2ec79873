import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { DEADLINE_MS, form, MULTIPART, picture, Service, wireBody, wireHead } from './service.ts';

const logo = picture('logo.png');
const body = wireBody(logo);
const codeOf = (answer: { status: number; json: { code?: string } }) =>
  `${answer.status} ${answer.json.code ?? ''}`.trim();

/** A connection that has sent the head of a request and the first bytes of its body. */
async function startUpload(service: Service, key: string, bytes = body.subarray(0, 500)): Promise<Socket> {
  const socket = connect(service.port, 'localhost');
  socket.on('error', () => {});
  await new Promise<void>((resolve) => socket.write(wireHead(key, body.length), () => resolve()));
  await new Promise<void>((resolve) => socket.write(bytes, () => resolve()));
  return socket;
}

/** Everything a connection receives until it closes, or until `enough` matches. */
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

describe('rates and places', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({ TRACESMITH_FREE_CONCURRENCY: '100' });
  });
  after(() => service.stop());

  test('of 30 at once on a Free key, exactly 10 pass', async () => {
    const answers = await Promise.all(
      Array.from({ length: 30 }, () => service.post(form(logo), { key: service.keys.free })),
    );
    const passed = answers.filter((answer) => answer.status === 200);
    const refused = answers.filter((answer) => codeOf(answer) === '429 rate_limited');
    assert.deepEqual([passed.length, refused.length], [10, 20]);
    for (const { headers } of refused) {
      assert.ok(Number(headers['retry-after']) > 50 && Number(headers['retry-after']) <= 60);
      assert.equal(headers['x-ratelimit-remaining'], '0');
    }
    assert.equal((await service.post(form(logo))).status, 200, 'other accounts are not touched');
  });

  test('eight uploads at once on a Pro key; the ninth has to wait for one to end', async () => {
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

describe('an early refusal reaches a caller who still sends', () => {
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
    const answer = await service.post(Buffer.alloc(LARGE_BYTES), { key: 'wrong', headers: MULTIPART });
    assert.equal(codeOf(answer), '401 invalid_api_key');
  });

  test('a caller who reads only after sending all', async () => {
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

describe('callers who are slow, or gone', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({
      TRACESMITH_BODY_TIMEOUT_MS: '700',
      TRACESMITH_HEADERS_TIMEOUT_MS: '500',
      TRACESMITH_UPLOAD_BYTES: String(2 * 1024 * 1024),
    });
  });
  after(() => service.stop());

  test('a body that does not come is given up', async () => {
    const socket = await startUpload(service, service.keys.custom);
    assert.match(await received(socket), /^HTTP\/1\.1 408 .*request_timeout/s);
    socket.destroy();
  });

  test('headers that do not come are given up', async () => {
    const socket = connect(service.port, 'localhost', () =>
      socket.write('POST /v1/vectorize HTTP/1.1\r\nHost:'),
    );
    assert.match(await received(socket), /^HTTP\/1\.1 408 .*request_timeout/s);
  });

  test('100 who vanish leave no place, memory or count behind', async () => {
    const cuts = [0, 200, body.length - 10, body.length];
    for (let round = 0; round < 25; round++) {
      const uploads = cuts.map((cut) => startUpload(service, service.keys.custom, body.subarray(0, cut)));
      const sockets = await Promise.all(uploads);
      await sleep(10);
      for (const socket of sockets) socket.destroy();
      await sleep(10);
    }
    await sleep(400);
    // Eight places, and two megabytes for uploads: a leak of a few would show here.
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => service.post(form(logo), { key: service.keys.custom })),
    );
    assert.deepEqual(answers.map(codeOf), Array(8).fill('200'));
    assert.ok(service.log.filter((line) => line.includes('"status":499')).length >= 50);
    assert.ok(!service.log.some((line) => line.includes('"level":"error"')));
  });
});

const isLinux = process.platform === 'linux';
test('memory does not grow with requests', { skip: !isLinux && 'reads /proc' }, async () => {
  const service = await Service.start();
  const rssBytes = () => {
    const status = readFileSync(`/proc/${service.process.pid}/status`, 'utf8');
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
  };
  const send = async (count: number) => {
    for (let sent = 0; sent < count; sent += 20) {
      const answers = await Promise.all(Array.from({ length: 20 }, () => service.post(form(logo))));
      assert.deepEqual([...new Set(answers.map(codeOf))], ['200']);
    }
  };
  try {
    await send(400);
    const before = rssBytes();
    await send(800);
    // Each picture has 256 KiB of pixels: if they stayed, it would be 200 MiB.
    assert.ok(rssBytes() - before < 120 * 1024 * 1024, `${before} → ${rssBytes()}`);
  } finally {
    await service.stop();
  }
});

test('a picture that takes too long is given up, and its worker replaced', async () => {
  const settings = { PROCESSING_TIMEOUT_MS: '1000', WORKERS: '1', MAX_FILE_BYTES: '100000000' };
  const named = Object.entries(settings).map(([name, value]) => [`TRACESMITH_${name}`, value]);
  const service = await Service.start(Object.fromEntries(named));
  try {
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const create = { width: 3000, height: 3000, channels: 3, background: '#808080', noise } as const;
    const large = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
    const options = { key: service.keys.custom };
    assert.equal(codeOf(await service.post(form(large), options)), '504 processing_timeout');
    assert.equal((await service.post(form(logo), options)).status, 200);
  } finally {
    await service.stop();
  }
});
