import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINE_MS, form, picture, Service, wireBody, wireHead } from './service.ts';

const logo = picture('logo.png');
const body = wireBody(logo);
const ACTIVE = 'http_server_active_requests';
const DISCARDED = 'tracesmith_discarded_requests_total';
const LIMITED = 'tracesmith_limited_connections_total';
const HELD = [
  ACTIVE,
  'tracesmith_jobs_waiting',
  'tracesmith_jobs_running',
  'tracesmith_image_memory_reserved_bytes',
  'tracesmith_transfer_memory_reserved_bytes',
  'tracesmith_requests_in_flight',
];

const get = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: localhost\r\n${more}\r\n`;

async function opened(service: Service): Promise<Socket> {
  const socket = connect(service.port, '127.0.0.1').on('error', () => {});
  await once(socket, 'connect', { signal: AbortSignal.timeout(DEADLINE_MS) });
  return socket;
}

/** Everything a connection receives until it closes. */
async function readAll(socket: Socket): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  if (!socket.closed) await once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
  return text;
}

/** What a connection receives until it has so many responses, or closes. */
async function readResponses(socket: Socket, count: number): Promise<string> {
  let text = '';
  socket.on('data', (data) => {
    text += data;
    if (statuses(text).length === count) socket.emit('received');
  });
  const signal = AbortSignal.timeout(DEADLINE_MS);
  await Promise.race([once(socket, 'received', { signal }), once(socket, 'close', { signal })]);
  return text;
}

const statuses = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d+) /g)].map(([, status]) => Number(status));

async function untilNothingHeld(service: Service): Promise<void> {
  for (const name of HELD) await service.untilMetric(name, 0);
}

describe('pipelined requests', () => {
  let service: Service;
  before(async () => {
    service = await Service.start();
  });
  after(() => service.stop());

  test('are answered in order', async () => {
    const socket = await opened(service);
    const upload = Buffer.concat([Buffer.from(wireHead(service.keys.enterprise, body.length)), body]);
    socket.write(Buffer.concat([Buffer.from(get('/livez')), upload, Buffer.from(get('/no'))]));
    socket.write(get('/readyz', 'Connection: close\r\n'));
    assert.deepEqual(statuses(await readAll(socket)), [200, 200, 404, 200]);
  });

  test('are not what a client sends after an early error: each upload is answered', async () => {
    const COUNT = 20;
    const upload = Buffer.concat([Buffer.from(wireHead('wrong', 200_000)), Buffer.alloc(200_000)]);
    const clients = Array.from({ length: 4 }, async () => {
      const socket = await opened(service);
      let text = '';
      let sent = 0;
      const send = () => {
        if (sent++ < COUNT) socket.write(upload);
        else socket.destroy();
      };
      socket.on('data', (data) => {
        text += data;
        if (text.split('"requestId":').length > sent && text.endsWith('}')) send();
      });
      send();
      await once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
      return statuses(text);
    });
    for (const answers of await Promise.all(clients)) assert.deepEqual(answers, Array(COUNT).fill(401));
  });

  test('that never get their turn are not started, and nothing of them remains', async () => {
    const before = await service.metric(DISCARDED);
    const socket = (await opened(service)).pause();
    const requests = get('/playground/engine_gradients_bg.wasm').repeat(40) + get('/livez').repeat(1_500);
    await new Promise<void>((resolve) => socket.write(requests, () => resolve()));
    await service.untilMetric(DISCARDED, (count) => count > before);
    socket.resetAndDestroy();
    await untilNothingHeld(service);
  });

  test('behind an upload whose connection breaks give back their place and memory', async () => {
    const { free } = service.keys;
    for (let i = 0; i < 3; i++) {
      const socket = await opened(service);
      const upload = Buffer.concat([Buffer.from(wireHead(free, body.length)), body]);
      socket.write(Buffer.concat([upload, upload.subarray(0, 1_000)]));
      await service.untilMetric('tracesmith_requests_in_flight', (count) => count > 0);
      socket.resetAndDestroy();
      await untilNothingHeld(service);
    }
    const response = await service.post(form(logo), { key: free });
    assert.equal(response.status, 200, response.text);
  });

  test('invalid HTTP behind a request does not get in front of its response', async () => {
    for (const after of ['hello\r\n\r\n', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n']) {
      const socket = await opened(service);
      const upload = Buffer.concat([Buffer.from(wireHead(service.keys.enterprise, body.length)), body]);
      socket.write(Buffer.concat([upload, Buffer.from(after)]));
      const text = await readAll(socket);
      assert.deepEqual(statuses(text), [200], text.slice(0, 500));
      assert.match(text, /<\/svg>/);
    }
  });
});

describe('at the limit of connections', () => {
  const MAX = 8;
  let service: Service;
  before(async () => {
    service = await Service.start({ TRACESMITH_MAX_CONNECTIONS: String(MAX) });
  });
  after(() => service.stop());

  const fill = () => Promise.all(Array.from({ length: MAX }, () => opened(service)));
  /** Connections that are in use and cannot make room: they do not read their responses. */
  const useAll = async () => {
    const sockets = await fill();
    for (const socket of sockets)
      socket.pause().write(get('/playground/engine_gradients_bg.wasm').repeat(16));
    await service.untilMetric(ACTIVE, MAX);
    return sockets;
  };
  const ask = async (path: string) => {
    const socket = await opened(service);
    socket.write(get(path, 'Connection: close\r\n'));
    return readAll(socket);
  };

  test('the connection that has been idle for longest makes room for a new one', async () => {
    const sockets: Socket[] = [];
    for (let i = 0; i < MAX; i++) sockets.push(await opened(service));
    // The first one is used after the others were opened, so the second one is the oldest idle one.
    const response = once(sockets[0] as Socket, 'data');
    sockets[0]?.write(get('/livez'));
    await response;
    for (const socket of sockets) socket.resume();
    await sleep(1_500);
    const closed = sockets.map((socket) => once(socket, 'close').then(() => sockets.indexOf(socket)));
    const before = await service.metric(LIMITED);
    assert.deepEqual(statuses(await ask('/livez')), [200]);
    assert.equal(await Promise.race(closed), 1);
    assert.equal(await service.metric(LIMITED), before + 1);
    assert.equal(sockets.filter((socket) => socket.destroyed).length, 1);
    for (const socket of sockets) socket.destroy();
  });

  for (const [what, head] of Object.entries({
    'a request without a valid key': wireHead('wrong', 1_000),
    'a request that needs none': 'POST /livez HTTP/1.1\r\nHost: a\r\nContent-Length: 1000\r\n\r\n',
    'one in chunks': 'POST /no HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n',
  }))
    test(`those that have a response, but withhold the body of ${what}, make room first`, async () => {
      const idle = await opened(service);
      const sockets: Socket[] = [];
      for (let i = 1; i < MAX; i++) {
        const socket = await opened(service);
        const response = once(socket, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) });
        socket.write(head);
        assert.match(String(await response), /^HTTP\/1\.1 4/);
        sockets.push(socket.resume());
      }
      await sleep(500);
      const closed = sockets.map((socket) => once(socket, 'close').then(() => sockets.indexOf(socket)));
      const before = await service.metric(LIMITED);
      assert.deepEqual(statuses(await ask('/livez')), [200]);
      assert.deepEqual(statuses(await ask('/livez')), [200]);
      assert.equal(await Promise.race(closed), 0);
      assert.ok((await service.metric(LIMITED)) > before);
      assert.ok(!idle.destroyed);
      for (const socket of [idle, ...sockets]) socket.destroy();
      await untilNothingHeld(service);
    });

  test('the account with the most uploads makes room if nothing else does', async () => {
    const open = async (key: string) => {
      const socket = await opened(service);
      socket.write(Buffer.concat([Buffer.from(wireHead(key, body.length)), body.subarray(0, 500)]));
      return socket;
    };
    const other = await open(service.keys.free);
    const most = await Promise.all(Array.from({ length: MAX - 1 }, () => open(service.keys.enterprise)));
    await service.untilMetric(ACTIVE, MAX);
    await sleep(2_500);
    const texts = most.map((socket) => readResponses(socket, 1));
    assert.deepEqual(statuses(await ask('/livez')), [200]);
    assert.match(await Promise.race(texts), /^HTTP\/1\.1 503 .*retry-after: \d+\r\n.*"code":"overloaded"/is);
    other.write(body.subarray(500));
    assert.deepEqual(statuses(await readResponses(other, 1)), [200]);
    for (const socket of [...most, other]) socket.destroy();
    await untilNothingHeld(service);
  });

  test('if all are in use, a new one gets 503 with Retry-After; the admin port still responds', async () => {
    await service.untilMetric(ACTIVE, 0);
    const sockets = await useAll();
    const text = await ask('/livez');
    assert.match(text, /^HTTP\/1\.1 503 .*retry-after: \d+\r\n.*"code":"overloaded"/is);
    assert.match(text, /x-request-id: [\w-]{36}\r\n/i);
    const { origin } = new URL(service.metricsUrl);
    for (const path of ['/livez', '/readyz', '/metrics'])
      assert.equal((await fetch(origin + path)).status, 200, path);
    const upload = await opened(service);
    upload.write(Buffer.concat([Buffer.from(wireHead(service.keys.enterprise, body.length)), body]));
    assert.match(await readAll(upload), /^HTTP\/1\.1 503 /);
    for (const socket of sockets) socket.destroy();
    await untilNothingHeld(service);
    assert.deepEqual(statuses(await ask('/livez')), [200]);
  });

  test('a request that was sent before the limit was reached is answered, however late the service reads it', async () => {
    const sockets: Socket[] = [];
    for (let i = 0; i < MAX; i++) sockets.push(await opened(service));
    await sleep(1_500);
    // Stopped, the service finds the new connection first and the request of the one that was idle for longest after it.
    service.process.kill('SIGSTOP');
    const texts = sockets.map((socket) => readAll(socket));
    const newcomer = await opened(service);
    for (const socket of sockets.slice(0, 3)) socket.write(get('/livez', 'Connection: close\r\n'));
    newcomer.write(get('/livez', 'Connection: close\r\n'));
    await sleep(100);
    service.process.kill('SIGCONT');
    assert.deepEqual(statuses(await readAll(newcomer)), [200]);
    for (const text of texts.slice(0, 3)) assert.deepEqual(statuses(await text), [200]);
    for (const socket of sockets) socket.destroy();
  });

  test('a client over the limit gets its 503, however late the service reads its request', async () => {
    const sockets = await useAll();
    const refused = await service.metric(LIMITED);
    const newcomer = await opened(service);
    await service.untilMetric(LIMITED, refused + 1);
    service.process.kill('SIGSTOP');
    newcomer.write(get('/livez'));
    await sleep(1_500);
    service.process.kill('SIGCONT');
    assert.deepEqual(statuses(await readAll(newcomer)), [503]);
    for (const socket of sockets) socket.destroy();
    await untilNothingHeld(service);
  });

  test('a client gets its 503, however many silent connections are over the limit', async () => {
    const sockets = await useAll();
    // One more than may be open.
    const silent = await Promise.all(Array.from({ length: 1_001 }, () => opened(service)));
    assert.deepEqual(statuses(await ask('/livez')), [503]);
    for (const socket of [...sockets, ...silent]) socket.destroy();
    await untilNothingHeld(service);
  });

  test('a connection over the limit that sends nothing is closed', async () => {
    const sockets = await useAll();
    const silent = await opened(service);
    assert.equal(await readAll(silent), '');
    for (const socket of sockets) socket.destroy();
    await untilNothingHeld(service);
  });
});

describe('a limit that delayed errors fill', () => {
  const MAX = 600;
  /** Per connection, so that most of them have one that is being delayed for seconds, however slow the machine is. */
  const ERRORS = 8;

  test('is no limit to others: the error that has waited longest is sent at once, and its connection closed', async (t) => {
    const service = await Service.start({ TRACESMITH_MAX_CONNECTIONS: String(MAX) });
    t.after(() => service.stop());
    const sockets = await Promise.all(Array.from({ length: MAX }, () => opened(service)));
    const texts = sockets.map((socket) => readResponses(socket, ERRORS));
    for (const socket of sockets) socket.write(get('/no').repeat(ERRORS));
    await service.untilMetric(ACTIVE, (count) => count > 50);
    const newcomer = await opened(service);
    newcomer.write(get('/livez', 'Connection: close\r\n'));
    assert.deepEqual(statuses(await readAll(newcomer)), [200]);
    assert.equal(await service.metric(LIMITED), 1);
    const found = (await Promise.all(texts)).map(statuses);
    const closed = sockets.map((socket) => socket.destroyed);
    for (const socket of sockets) socket.destroy();
    assert.equal(closed.filter(Boolean).length, 1);
    for (const [index, errors] of found.entries()) {
      assert.deepEqual([...new Set(errors)], [404]);
      // The connection that was closed has only those until then.
      if (!closed[index]) assert.equal(errors.length, ERRORS);
    }
  });
});
