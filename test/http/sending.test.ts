import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { HttpServer } from '../../host/service/server.ts';
import { DEADLINE_MS, part, picture, wireBody, wireHead } from './service.ts';
import { InProcessService } from './support/in-process-service.ts';
import { noise } from './support/noise.ts';

/** A Unix socket, or a named pipe on Windows: it buffers some 200 kB, where TCP may take the whole response. */
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
const ADDRESS =
  process.platform === 'win32' ? `\\\\.\\pipe\\tracesmith-${process.pid}` : join(folder, 'socket');

let inside: InProcessService;
let server: HttpServer;
before(async () => {
  inside = await InProcessService.start({ sendTimeoutMs: 1_000 });
  server = new HttpServer(inside.service).listen(ADDRESS);
  await once(server, 'listening');
});
after(async () => {
  server.close();
  server.closeAllConnections();
  await inside.stop();
  rmSync(folder, { recursive: true });
});

const exact = { mode: 'none', filterSpeckle: 0, layerDifference: 0, colorPrecision: 8 };
const config = part(['Content-Disposition: form-data; name="config"'], JSON.stringify(exact));
/** The SVG has 2 MB. */
const large = Buffer.concat([config, wireBody(noise(200, 200))]);

const upload = (key: string, body: Buffer) => Buffer.concat([Buffer.from(wireHead(key, body.length)), body]);

async function opened(): Promise<Socket> {
  const socket = connect(ADDRESS).on('error', () => {});
  await once(socket, 'connect', { signal: AbortSignal.timeout(DEADLINE_MS) });
  return socket;
}

/** How many requests ended with a status and an error code. */
async function finished(status: number, code: string): Promise<number> {
  const labels = `http_response_status_code="${status}",error_type="${code}"`;
  const text = await inside.service.metrics.text();
  const name = 'http_server_request_duration_seconds_count';
  const lines = text.split('\n').filter((line) => line.startsWith(name) && line.includes(labels));
  return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
}

async function untilFinished(status: number, code: string, count: number): Promise<void> {
  const deadline = Date.now() + DEADLINE_MS;
  while ((await finished(status, code)) < count) {
    if (Date.now() > deadline) throw new Error(await inside.service.metrics.text());
    await sleep(20);
  }
}

function assertNothingHeld(): void {
  const { limiter, transferMemory, queue } = inside.service;
  const held = [limiter.inFlight, transferMemory.reservedBytes, queue.running, queue.waiting];
  assert.deepEqual(held, [0, 0, 0, 0]);
}

describe('while the response is being sent', () => {
  test('a client that reads a little all the time is disconnected at the deadline', async () => {
    const socket = (await opened()).pause();
    socket.write(upload(inside.key, large));
    const trickle = setInterval(() => socket.read(10), 50);
    try {
      await untilFinished(499, 'send_timeout', 1);
    } finally {
      clearInterval(trickle);
      socket.destroy();
    }
    assertNothingHeld();
  });

  test('a client that reads no response without a body is disconnected at the deadline', async () => {
    const before = { sent: await finished(200, ''), late: await finished(499, 'send_timeout') };
    const socket = (await opened()).pause();
    const deadline = Date.now() + DEADLINE_MS;
    const isLate = async () => (await finished(499, 'send_timeout')) > before.late;
    // Until the buffers are full.
    for (let count = 1; !(await isLate()); count++) {
      assert.ok(Date.now() < deadline, `${count * 8} requests`);
      socket.write('HEAD /livez HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(8));
      while ((await finished(200, '')) < before.sent + count * 8 && !(await isLate())) await sleep(1);
    }
    socket.destroy();
    assertNothingHeld();
  });

  test('a client that disconnects is counted as 499, not as 200', async () => {
    const before200 = await finished(200, '');
    for (const leave of ['destroy', 'end'] as const) {
      const before = await finished(499, 'client_disconnected');
      const socket = (await opened()).pause();
      socket.write(upload(inside.key, large));
      await once(socket, 'readable', { signal: AbortSignal.timeout(DEADLINE_MS) });
      socket[leave]();
      if (leave === 'end') socket.destroy();
      await untilFinished(499, 'client_disconnected', before + 1);
      assertNothingHeld();
    }
    assert.equal(await finished(200, ''), before200);
  });

  test('a client that reads everything is counted as 200', async () => {
    const before = await finished(200, '');
    const socket = await opened();
    socket.write(upload(inside.key, large));
    socket.resume();
    await untilFinished(200, '', before + 1);
    socket.destroy();
    assertNothingHeld();
  });

  test('a client that has received an early error is counted with it, though it still sends', async () => {
    const socket = await opened();
    socket.write(wireHead('wrong', 30_000_000));
    await once(socket, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) });
    socket.destroy();
    await untilFinished(401, 'invalid_api_key', 1);
  });

  test('a client that goes on sending after an early error is not disconnected at the deadline', async () => {
    const socket = await opened();
    socket.write(wireHead('wrong', 30_000_000));
    await once(socket, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) });
    const closed = once(socket, 'close').then(() => 'closed');
    const sending = setInterval(() => socket.write('more of the body'), 50);
    try {
      assert.equal(await Promise.race([closed, sleep(2_000, 'open')]), 'open');
    } finally {
      clearInterval(sending);
      socket.destroy();
    }
  });

  test('the next request of the connection takes no place', async () => {
    const discarded = async () =>
      Number(/^tracesmith_discarded_requests_total (\d+)$/m.exec(await inside.service.metrics.text())?.[1]);
    const discardedBefore = await discarded();
    const socket = (await opened()).pause();
    const small = upload(inside.key, wireBody(picture('logo.png')));
    socket.write(Buffer.concat([upload(inside.key, large), small, small]));
    await once(socket, 'readable', { signal: AbortSignal.timeout(DEADLINE_MS) });
    assert.equal(inside.service.limiter.inFlight, 1);
    const before = await finished(499, 'client_disconnected');
    socket.destroy();
    await untilFinished(499, 'client_disconnected', before + 1);
    assertNothingHeld();
    assert.equal(await discarded(), discardedBefore + 2);
  });
});
