import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINE_MS, form, picture, Service } from '../http/service.ts';
import { noise } from '../http/support/noise.ts';
import { exchange } from './support/client.ts';
import {
  get,
  largeAnswer,
  manyParts,
  openIdle,
  openSocket,
  readSlowly,
  unreadFlood,
  upload,
} from './support/connections.ts';
import { assertRecovered, type Resources, resourcesAtRest, sum } from './support/resources.ts';
import { MANY_HEADERS, SMUGGLED, smugglingShapes, validChunks } from './support/shapes.ts';

const HEADERS_MS = 1_000;
const BODY_MS = 1_500;
const SEND_MS = 2_000;
/** Added to a deadline of the service: it checks once a second, and machines are slow. */
const TOLERANCE_MS = 10_000;
const MAX_CONNECTIONS = 300;
const FINISHED = 'http_server_request_duration_seconds_count';

const letters = picture('letters.gif');
const code = (text: string) => /"code":"(\w+)"/.exec(text)?.[1] ?? '';

let service: Service;
let rest: Resources;
before(async () => {
  service = await Service.start({
    TRACESMITH_HEADERS_TIMEOUT_MS: String(HEADERS_MS),
    TRACESMITH_BODY_TIMEOUT_MS: String(BODY_MS),
    TRACESMITH_SEND_TIMEOUT_MS: String(SEND_MS),
    TRACESMITH_MAX_CONNECTIONS: String(MAX_CONNECTIONS),
    TRACESMITH_PRO_CONCURRENCY: '4',
  });
  // The first request for a page builds it.
  await service.get('/playground/engine_gradients_bg.wasm');
});
after(() => service.stop());

beforeEach(async () => {
  rest = await resourcesAtRest(service);
});
/** After each attack, everything is as before. */
afterEach(() => assertRecovered(service, rest));

describe('request smuggling', () => {
  let readyRequests = 0;
  beforeEach(async () => {
    readyRequests = await countReady();
  });
  const countReady = () => sum(service, FINISHED, '"/readyz"');

  test('shapes that two parsers read differently are refused, and what follows is never answered', async () => {
    const wrong: string[] = [];
    for (const [name, { bytes, isRefused }] of Object.entries(smugglingShapes(service.keys.enterprise))) {
      const all = Buffer.concat([bytes, Buffer.from(SMUGGLED)]);
      const { answers, end } = await exchange(service.port, all, { requests: 2, deadlineMs: TOLERANCE_MS });
      const [first] = answers;
      const isRight = isRefused
        ? first?.status === 400 && code(first.text) === 'bad_request'
        : first !== undefined && first.status >= 400 && first.status < 500;
      const statuses = answers.map(({ status, text }) => `${status} ${code(text)}`);
      if (!isRight || answers.length > 1 || end !== 'server')
        wrong.push(`${name}: ${statuses.join(', ') || 'no answer'}; ended by ${end}`);
    }
    assert.deepEqual(wrong, []);
    assert.equal(await countReady(), readyRequests);
  });

  test('headers behind very many others count like any other', async () => {
    const found: string[] = [];
    const request = upload(service.keys.enterprise, letters).toString('latin1');
    for (const header of ['Authorization: Bearer b', 'Content-Type: text/plain', 'Content-Encoding: gzip']) {
      const headers = `\r\n${[...MANY_HEADERS, header, 'Connection: close'].join('\r\n')}\r\n\r\n`;
      const { answers } = await exchange(
        service.port,
        Buffer.from(request.replace('\r\n\r\n', headers), 'latin1'),
      );
      found.push(`${answers[0]?.status} ${code(answers[0]?.text ?? '')}`);
    }
    assert.deepEqual(found, ['400 invalid_authorization', '400 bad_request', '415 unsupported_media_type']);
  });

  test('a valid body in chunks, with extensions and a trailer, is not refused, and the next request is answered', async () => {
    const bytes = Buffer.concat([validChunks(service.keys.enterprise, letters), Buffer.from(SMUGGLED)]);
    const { answers } = await exchange(service.port, bytes, { requests: 2 });
    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    );
    assert.equal(await countReady(), readyRequests + 1);
  });
});

describe('pipelining', () => {
  test('1,540 requests in one write, never read, then a reset: all are released', async () => {
    for (let i = 0; i < 3; i++) {
      const options = { requests: 2_000, isUnread: true, leaveAfterMs: 300 };
      await exchange(service.port, unreadFlood, options);
    }
  });

  test('uploads whose connection ends during the first give all places back', async () => {
    const key = service.keys.custom;
    const hard = upload(key, noise(800, 800, 2));
    for (let i = 0; i < 4; i++) {
      const bytes = Buffer.concat([hard, hard, hard, hard]);
      await exchange(service.port, bytes, { requests: 4, leaveAfterMs: 50 + 60 * i });
    }
    await assertRecovered(service, rest);
    const next = await service.post(form(letters), { key });
    assert.equal(next.status, 200, 'the account has its places back');
  });

  test('a client that ends its side in the middle of a second request has left: the first is canceled', async () => {
    const hard = upload(service.keys.enterprise, noise(2_000, 2_000, 2));
    const socket = await openSocket(service.port);
    socket.end(Buffer.concat([hard, hard.subarray(0, 1_000)]));
    await service.untilMetric('tracesmith_jobs_running', 1);
    await assertRecovered(service, rest);
  });

  test('as many uploads in one write as may wait are answered in their order', async () => {
    const ids = Array.from({ length: 16 }, (_, i) => `pipelined-${i}`);
    const one = (id: string) => {
      const text = upload(service.keys.enterprise, letters).toString('latin1');
      return Buffer.from(text.replace('Host:', `X-Request-Id: ${id}\r\nHost:`), 'latin1');
    };
    const { answers } = await exchange(service.port, Buffer.concat(ids.map(one)), { requests: ids.length });
    assert.deepEqual(
      answers.map(({ status, headers }) => `${headers['x-request-id']}: ${status}`),
      ids.map((id) => `${id}: 200`),
    );
  });
});

describe('slow clients', () => {
  const timed = async (bytes: Buffer, options: Parameters<typeof exchange>[2]) => {
    const startMs = performance.now();
    const outcome = await exchange(service.port, bytes, { ...options, deadlineMs: 30_000 });
    return { ...outcome, ms: performance.now() - startMs };
  };
  const drip = { bytes: 1, pauseMs: 100 };

  test('headers that arrive byte by byte, and bodies: 408 at the deadline, on 20 connections each', async () => {
    const request = upload(service.keys.enterprise, letters);
    const length = request.indexOf('\r\n\r\n') + 4;
    const slowHeaders = Array.from({ length: 20 }, () => timed(request, { write: drip }));
    const slowBodies = Array.from({ length: 20 }, async () => {
      const socket = await openSocket(service.port);
      socket.write(request.subarray(0, length));
      const startMs = performance.now();
      let [text, at] = ['', length];
      socket.on('data', (data) => {
        text += data;
      });
      while (text === '' && !socket.destroyed && performance.now() - startMs < 30_000) {
        socket.write(request.subarray(at, ++at));
        await sleep(drip.pauseMs);
      }
      const ms = performance.now() - startMs;
      socket.destroy();
      return { text, ms };
    });
    for (const { answers, end, ms } of await Promise.all(slowHeaders)) {
      assert.deepEqual([answers[0]?.status, end], [408, 'complete']);
      assert.ok(ms < HEADERS_MS + TOLERANCE_MS, `${ms} ms`);
    }
    for (const { text, ms } of await Promise.all(slowBodies)) {
      assert.match(text, /^HTTP\/1\.1 408 /);
      assert.ok(ms < BODY_MS + TOLERANCE_MS, `${ms} ms`);
    }
  });

  test('responses that are read slowly, or not at all, are given up at the deadline', async () => {
    const request = largeAnswer(service.keys.custom, noise(600, 600));
    const readers = [0, 65_536].map((bytes) => readSlowly(service.port, request, bytes));
    const givenUp = () => sum(service, FINISHED, '"send_timeout"');
    const endMs = Date.now() + DEADLINE_MS;
    try {
      while ((await givenUp()) < readers.length) {
        assert.ok(Date.now() < endMs, `${await givenUp()} were given up`);
        await sleep(100);
      }
      await service.untilLogged('"send_timeout"');
      for (const line of service.log.filter((line) => line.includes('"send_timeout"'))) {
        // Before it could be sent, it had to be traced: on a busy machine, that takes long.
        const { durationMs, uploadMs, queueMs, decodeMs, traceMs } = JSON.parse(line);
        const sendingMs = durationMs - uploadMs - queueMs - decodeMs - traceMs;
        assert.ok(sendingMs < SEND_MS + TOLERANCE_MS, line);
      }
      // The clients are still there, and read what the operating system keeps for them.
      await assertRecovered(service, rest);
    } finally {
      for (const reader of readers) (await reader).destroy();
    }
  });
});

describe('connections up to the limit', () => {
  for (const [what, first] of Object.entries({
    'that made a request': get('/livez'),
    'that never sent a byte': '',
  })) {
    test(`${what} and are idle keep nobody out`, async () => {
      const connections = await openIdle(service.port, MAX_CONNECTIONS + 100, first);
      try {
        // A connection is idle when it has been silent for a second.
        await sleep(1_500);
        for (let i = 0; i < 5; i++) {
          const response = await service.post(form(letters));
          assert.equal(response.status, 200, 'the oldest idle connection makes room');
        }
        assert.ok((await sum(service, 'tracesmith_ready')) === 1, 'the admin port answers');
      } finally {
        for (const { socket } of connections) socket.destroy();
      }
    });
  }
});

describe('very many parts', () => {
  const DISPOSITION = 'Content-Disposition: form-data;';
  for (const [what, headers] of Object.entries({
    fields: [`${DISPOSITION} name="config"`],
    'unknown fields': [`${DISPOSITION} name="x"`],
    files: [`${DISPOSITION} name="file"; filename="a"`],
    'parts without a name': [DISPOSITION],
  })) {
    test(`100,000 ${what}: 400`, async () => {
      const { answers } = await exchange(service.port, manyParts(service.keys.enterprise, 100_000, headers));
      assert.equal(answers[0]?.status, 400, answers[0]?.text);
      assert.match(code(answers[0].text), /^(unexpected_part|malformed_multipart|invalid_config_json)$/);
    });
  }
});
