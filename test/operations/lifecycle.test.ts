import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { on, once } from 'node:events';
import { openSync, readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { fetch } from 'undici';
import { MAX_SCANS } from '../../host/image/jpeg-scans.mjs';
import { jpegOfScans } from '../attacks/support/jpeg.ts';
import { DEADLINE_MS, form, picture, Service, wireBody, wireHead } from '../http/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = ['--import', 'tsx', 'host/main.ts'];
const body = wireBody(picture('logo.png'));

/** A request that the service has accepted with 100 Continue, without its body. */
async function accepted(service: Service): Promise<{ socket: Socket; response: Promise<string> }> {
  const socket = connect(service.port, 'localhost');
  let text = '';
  const response = once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) }).then(() => text);
  response.catch(() => {});
  const head = wireHead(service.keys.enterprise, body.length);
  socket.write(head.replace('Host:', 'Expect: 100-continue\r\nHost:'));
  for await (const [data] of on(socket, 'data', { signal: AbortSignal.timeout(DEADLINE_MS) })) {
    text += data;
    if (text === 'HTTP/1.1 100 Continue\r\n\r\n') break;
  }
  text = '';
  socket.on('data', (data) => {
    text += data;
  });
  return { socket, response };
}

/** Starts a service that is stopped after the test. */
async function startFor(t: TestContext, settings: Record<string, string> = {}): Promise<Service> {
  const service = await Service.start(settings);
  t.after(() => service.stop());
  return service;
}

const exitOf = (service: Service) =>
  once(service.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });

/** A service with a short time limit that decodes an image, which takes seconds and cannot be stopped. */
async function decoding(t: TestContext) {
  const service = await startFor(t, { TRACESMITH_DRAIN_TIMEOUT_MS: '100' });
  const image = wireBody(jpegOfScans({ width: 6_300, height: 6_300 }, MAX_SCANS));
  const socket = connect(service.port, 'localhost').on('error', () => {});
  let text = '';
  socket.on('data', (data) => {
    text += data;
  });
  const left = once(socket, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) }).then(() => text);
  socket.write(Buffer.concat([Buffer.from(wireHead(service.keys.enterprise, image.length)), image]));
  await service.untilMetric('tracesmith_jobs_running', 1);
  return { service, socket, left };
}

describe('SIGTERM', { skip: process.platform === 'win32' && 'Windows has no SIGTERM' }, () => {
  test('an accepted request finishes, new requests are rejected, then the process ends', async (t) => {
    const service = await startFor(t);
    const { socket, response } = await accepted(service);
    socket.write(body.subarray(0, 100));
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    await service.untilMetric('tracesmith_ready', 0);
    const ready = await service.get('/readyz');
    assert.deepEqual([ready.status, ready.text], [503, '{"status":"draining"}']);
    assert.equal(ready.headers.connection, 'close');
    const { origin } = new URL(service.metricsUrl);
    const adminReady = await fetch(`${origin}/readyz`);
    assert.deepEqual([adminReady.status, await adminReady.text()], [503, '{"status":"draining"}']);
    assert.equal((await fetch(`${origin}/livez`)).status, 200);
    assert.equal((await service.get('/livez')).status, 200);
    const refused = await service.post(form(picture('logo.png')));
    assert.equal(`${refused.status} ${refused.json.code}`, '503 shutting_down');
    assert.equal(refused.headers['retry-after'], '1');
    socket.write(body.subarray(100));
    assert.match(await response, /^HTTP\/1\.1 200 .*connection: close.*<\/svg>/is);
    assert.deepEqual(await exit, [0, null]);
    await assert.rejects(service.get('/livez'), { code: 'ECONNREFUSED' });
  });

  test('new requests are served during the delay', async (t) => {
    const service = await startFor(t, { TRACESMITH_DRAIN_DELAY_MS: '600000' });
    service.process.kill('SIGTERM');
    await service.untilMetric('tracesmith_ready', 0);
    assert.equal((await service.get('/readyz')).status, 503);
    const response = await service.post(form(picture('logo.png')));
    assert.deepEqual([response.status, response.headers.connection], [200, 'close']);
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [1, null]);
  });

  test('idle connections do not delay the shutdown', async (t) => {
    const service = await startFor(t);
    const opened = ['', 'POST /v1/vectorize HTTP/1.1\r\nHost: loc'].map((sent) => {
      const socket = connect(service.port, 'localhost');
      socket.write(sent);
      return socket;
    });
    await Promise.all(opened.map((socket) => once(socket, 'connect')));
    const { socket, response } = await accepted(service);
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    await service.untilMetric('tracesmith_ready', 0);
    socket.write(body);
    assert.match(await response, /^HTTP\/1\.1 200 /);
    assert.deepEqual(await exit, [0, null]);
  });

  test('under load, no accepted request fails', async (t) => {
    const service = await startFor(t, { TRACESMITH_MAX_WAIT_MS: '60000' });
    const outcomes: string[] = [];
    const caller = async (_: unknown, i: number) => {
      const headers: Record<string, string> = i % 2 === 0 ? { connection: 'close' } : {};
      for (;;) {
        const response = await service.post(form(picture('logo.png')), { headers });
        outcomes.push(`${response.status} ${response.json.code ?? response.json.svg.slice(-6)}`);
        if (response.status !== 200) return;
      }
    };
    const callers = Array.from({ length: 12 }, caller);
    // Accepted requests that have sent none, half and all but the end of the body.
    const cuts = Array.from({ length: 30 }, (_, i) => [0, body.length >> 1, body.length - 1][i % 3] ?? 0);
    const waiting = await Promise.all(cuts.map(() => accepted(service)));
    for (const [i, { socket }] of waiting.entries()) socket.write(body.subarray(0, cuts[i]));
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    await service.untilMetric('tracesmith_ready', 0);
    await Promise.all(callers);
    for (const [i, { socket }] of waiting.entries()) socket.write(body.subarray(cuts[i]));
    const responses = await Promise.all(waiting.map(({ response }) => response));
    for (const response of responses) {
      const [, length] = /^HTTP\/1\.1 200 .*content-length: (\d+)/is.exec(response) ?? [];
      const answered = response.slice(response.indexOf('\r\n\r\n') + 4);
      assert.equal(Buffer.byteLength(answered), Number(length), response.slice(0, 300));
    }
    // Clients that sent requests until one was rejected: complete responses only, no reset connection.
    assert.ok(outcomes.filter((outcome) => outcome === '200 </svg>').length > 0);
    assert.equal(outcomes.filter((outcome) => outcome === '503 shutting_down').length, callers.length);
    assert.equal(new Set(outcomes).size, 2, String([...new Set(outcomes)]));
    assert.deepEqual(await exit, [0, null]);
  });

  test('a second signal ends the process at once', async (t) => {
    const service = await startFor(t);
    const { response } = await accepted(service);
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    await service.untilMetric('tracesmith_ready', 0);
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [1, null]);
    assert.equal(await response, '');
  });

  test('requests that do not finish in time are canceled', async (t) => {
    const service = await startFor(t, { TRACESMITH_DRAIN_TIMEOUT_MS: '100' });
    const { response } = await accepted(service);
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [1, null]);
    assert.equal(await response, '');
    assert.ok(service.log.some((line) => line.includes('shutdown timed out')));
  });

  test('requests that are traced at the time limit are canceled, and none of them fails', async (t) => {
    const { service, left } = await decoding(t);
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [null, 'SIGKILL']);
    assert.equal(await left, '');
    assert.ok(!service.log.some((line) => line.includes('request failed')), service.log.join('\n'));
  });

  test('it ends the start, too', async (t) => {
    const env = { ...process.env, PORT: '0', TRACESMITH_MAX_PIXEL: '1' };
    const child = spawn(process.execPath, MAIN, { cwd: ROOT, env });
    t.after(() => child.kill('SIGKILL'));
    const lines: string[] = [];
    const reader = createInterface({ input: child.stderr }).on('line', (line) => lines.push(line));
    const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
    await once(reader, 'line', deadline);
    assert.match(lines[0] ?? '', /unknown setting/);
    const exit = once(child, 'exit', deadline);
    child.kill('SIGTERM');
    // A signal that nobody handles ends all processes but the first of a container.
    assert.deepEqual(await exit, [0, null]);
    // On a busy machine, the start may be over when the signal comes.
    assert.ok(
      lines.some((line) => /stopped while starting|shutting down/.test(line)),
      lines.join('\n'),
    );
  });

  test('the time limit holds while an image is decoded whose client has left', async (t) => {
    const { service, socket } = await decoding(t);
    socket.destroy();
    await service.untilLogged('client_disconnected');
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    // Else the process waits for the decoder, and exits.
    assert.deepEqual(await exit, [null, 'SIGKILL']);
    assert.ok(!service.log.some((line) => line.includes('shutdown timed out')), service.log.join('\n'));
  });

  test('a time limit of 0 cancels nothing if no request is in flight', async (t) => {
    const service = await startFor(t, { TRACESMITH_DRAIN_TIMEOUT_MS: '0' });
    const socket = connect(service.port, 'localhost').on('error', () => {});
    socket.write('POST /v1/vectorize HTTP/1.1\r\nHost: loc');
    await once(socket, 'connect');
    assert.equal((await service.get('/livez')).status, 200);
    const exit = exitOf(service);
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    assert.ok(!service.log.some((line) => line.includes('shutdown timed out')), service.log.join('\n'));
  });
});

test('the service ends with the shell that started npm', {
  skip: process.platform === 'win32' && 'Windows has no SIGTERM',
}, async (t) => {
  const env = { ...process.env, PORT: '0' };
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  // The second command keeps the shell from replacing itself with the first.
  const shell = spawn('sh', ['-c', `${scripts.start}; exit 0`], { cwd: ROOT, env });
  t.after(() => shell.kill('SIGKILL'));
  const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
  const [line] = await once(createInterface({ input: shell.stdout }), 'line', deadline);
  const url = String(/http:\S+/.exec(line)?.[0]);
  assert.equal((await fetch(`${url}/livez`)).status, 200);
  shell.kill('SIGTERM');
  // Closes when all processes that hold the other end of the pipe have ended.
  await once(shell.stdout, 'close', deadline);
  await assert.rejects(fetch(`${url}/livez`));
});

test('an unknown variable is logged without its value', async (t) => {
  const service = await startFor(t, { TRACESMITH_MAX_PIXEL: 'seven' });
  await service.untilLogged('"variable":"TRACESMITH_MAX_PIXEL","message":"unknown setting"');
  assert.ok(!service.log.join('').includes('seven'));
});

describe('settings', () => {
  const cases = [
    ['PORT', '80800', 'PORT must be a whole number from 0 to 65535, not "80800"'],
    ['TRACESMITH_MAX_PIXELS', 'many', 'TRACESMITH_MAX_PIXELS must be a whole number'],
    ['TRACESMITH_CORS_ORIGINS', 'example.com', 'TRACESMITH_CORS_ORIGINS must be'],
    ['TRACESMITH_KEYS_FILE', '/does/not/exist', '/does/not/exist'],
  ] as const;
  for (const [variable, value, message] of cases) {
    test(`${variable}=${value} is rejected with its name`, async () => {
      const env = { ...process.env, [variable]: value };
      const run = promisify(execFile)(process.execPath, MAIN, { cwd: ROOT, env, timeout: DEADLINE_MS });
      const error = (await run.then(
        () => assert.fail('it started'),
        (failure) => failure,
      )) as { code: number; stderr: string };
      assert.equal(error.code, 1);
      const last = JSON.parse(error.stderr.trim().split('\n').at(-1) ?? '');
      assert.ok(last.error.includes(message), error.stderr);
    });
  }
});

/** Has the service log more than the system keeps for a log that nobody reads: about 200 kB. */
async function fillLog(service: Service): Promise<void> {
  service.process.stderr?.pause();
  // Each request logs more than 200 bytes.
  for (let sent = 0; sent < 1_500; sent += 100)
    await Promise.all(Array.from({ length: 100 }, () => service.get('/livez')));
}

test('a log that nobody reads does not block requests', async (t) => {
  const service = await startFor(t);
  await fillLog(service);
  for (let i = 0; i < 8; i++) assert.equal((await service.post(form(picture('logo.png')))).status, 200);
  assert.ok(service.log.length < 1_500, 'the log was not read');
  service.process.stderr?.resume();
});

test('a log that nobody reads does not keep the process from ending', {
  skip: process.platform === 'win32' && 'Windows has no SIGTERM',
}, async (t) => {
  const service = await startFor(t);
  await fillLog(service);
  const exit = exitOf(service);
  service.process.kill('SIGTERM');
  assert.deepEqual(await exit, [null, 'SIGKILL']);
});

test('a log that cannot be written neither ends the service nor keeps it from ending', {
  skip: process.platform !== 'linux' && 'has no /dev/full',
}, async (t) => {
  const env = { ...process.env, PORT: '0' };
  const child = spawn(process.execPath, MAIN, {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', openSync('/dev/full', 'w')],
  });
  t.after(() => child.kill('SIGKILL'));
  const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
  const [line] = await once(createInterface({ input: child.stdout as Readable }), 'line', deadline);
  const url = String(/http:\S+/.exec(line)?.[0]);
  for (let i = 0; i < 3; i++) assert.equal((await fetch(`${url}/livez`)).status, 200);
  const exit = once(child, 'exit', deadline);
  child.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
});

test('without settings, the service prints its URL and a curl command that works', async () => {
  const env = { ...process.env, PORT: '0', TRACESMITH_KEYS_FILE: '' };
  const child = spawn(process.execPath, MAIN, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    while (!lines.some((line) => line.startsWith('curl')))
      await once(reader, 'line', { signal: AbortSignal.timeout(DEADLINE_MS) });
    const [, url, key] =
      /^curl (\S+) -H 'Authorization: Bearer (\S+)' -F file=@\S+$/.exec(lines.at(-1) ?? '') ?? [];
    assert.equal(lines.join('\n').split(String(key)).length, 2, 'the key is printed once');
    const data = form(picture('logo.png'));
    const response = await fetch(String(url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: data,
    });
    assert.equal(response.status, 200);
  } finally {
    child.kill();
    await once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
  }
});
