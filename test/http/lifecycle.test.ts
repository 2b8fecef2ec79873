import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DEADLINE_MS, form, picture, Service, wireBody, wireHead } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = ['--import', 'tsx', 'host/main.ts'];
const body = wireBody(picture('logo.png'));

describe('SIGTERM', { skip: process.platform === 'win32' && 'Windows has no SIGTERM' }, () => {
  test('an accepted request finishes; then the process ends', async () => {
    const service = await Service.start();
    const socket = connect(service.port, 'localhost');
    let text = '';
    socket.on('data', (data) => {
      text += data;
    });
    socket.write(wireHead(service.keys.pro, body.length));
    socket.write(body.subarray(0, 100));
    await sleep(200);
    const exit = once(service.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    service.process.kill('SIGTERM');
    await sleep(200);
    await assert.rejects(service.get('/livez'), 'no new connections');
    socket.write(body.subarray(100));
    assert.deepEqual(await exit, [0, null]);
    assert.match(text, /^HTTP\/1\.1 200 /);
    await service.stop();
  });

  test('a second signal ends it at once', async () => {
    const service = await Service.start();
    const socket = connect(service.port, 'localhost').on('error', () => {});
    socket.write(wireHead(service.keys.pro, body.length));
    await sleep(200);
    const exit = once(service.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    service.process.kill('SIGTERM');
    await sleep(200);
    service.process.kill('SIGTERM');
    assert.deepEqual(await exit, [1, null]);
    await service.stop();
  });
});

describe('settings', () => {
  const cases = [
    ['PORT', '80800', 'PORT must be a whole number from 0 to 65535, not "80800"'],
    ['TRACESMITH_MAX_PIXELS', 'many', 'TRACESMITH_MAX_PIXELS must be a whole number'],
    ['TRACESMITH_CORS_ORIGINS', 'example.com', 'TRACESMITH_CORS_ORIGINS must be'],
    ['TRACESMITH_KEYS_FILE', '/does/not/exist', '/does/not/exist'],
  ] as const;
  for (const [variable, value, message] of cases) {
    test(`${variable}=${value} is refused by name`, async () => {
      const env = { ...process.env, [variable]: value };
      const run = promisify(execFile)(process.execPath, MAIN, { cwd: ROOT, env, timeout: DEADLINE_MS });
      const error = (await run.then(
        () => assert.fail('it started'),
        (failure) => failure,
      )) as { code: number; stderr: string };
      assert.equal(error.code, 1);
      assert.ok(JSON.parse(error.stderr).error.includes(message), error.stderr);
    });
  }
});

test('without settings: an address, and a line that works with the key in it', async () => {
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
    const answer = await fetch(String(url), {
      method: 'POST',
      headers: { authorization: `Bearer ${key}` },
      body: data as unknown as BodyInit,
    });
    assert.equal(answer.status, 200);
  } finally {
    child.kill();
    await once(child, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
  }
});
