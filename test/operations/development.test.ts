import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { describe, type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { readSettings } from '../../host/config/settings.ts';
import { listenHost } from '../../host/service/development.ts';
import { DEADLINE_MS } from '../http/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAIN = ['--import', 'tsx', 'host/main.ts'];

/** The URL that the service prints. */
async function start(t: TestContext, settings: Record<string, string>): Promise<string> {
  const env = { ...process.env, PORT: '0', TRACESMITH_KEYS_FILE: '', TRACESMITH_WORKERS: '1', ...settings };
  const child = spawn(process.execPath, MAIN, { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'ignore'] });
  t.after(() => child.kill('SIGKILL'));
  const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
  const [line] = await once(createInterface({ input: child.stdout }), 'line', deadline);
  return String(/http:\S+/.exec(line)?.[0]);
}

/** Where the service would listen. */
const hostFor = (environment: Record<string, string>) => listenHost(readSettings(environment));

describe('without a key file', () => {
  test('the service listens on the loopback address by default', async (t) => {
    const url = await start(t, {});
    assert.match(url, /^http:\/\/127\.0\.0\.1:\d+$/);
    assert.equal((await fetch(`${url}/livez`)).status, 200);
  });

  for (const host of ['127.0.0.1', '127.1.2.3', '::1', 'localhost'])
    test(`${host} is allowed`, async () => assert.equal(await hostFor({ TRACESMITH_HOST: host }), host));

  for (const host of ['0.0.0.0', '::', '192.0.2.1', '2001:db8::1', '::ffff:192.0.2.1'])
    test(`${host} is rejected, unless a development key is allowed`, async () => {
      const message = `TRACESMITH_KEYS_FILE or TRACESMITH_STORE must be set to listen on ${host}.`;
      await assert.rejects(hostFor({ TRACESMITH_HOST: host }), (error: Error) =>
        error.message.startsWith(message),
      );
      const allowed = { TRACESMITH_HOST: host, TRACESMITH_DEVELOPMENT: 'true' };
      assert.equal(await hostFor(allowed), host);
    });

  test('permission for a development key opens no address by itself', async () =>
    assert.equal(await hostFor({ TRACESMITH_DEVELOPMENT: 'true' }), '127.0.0.1'));

  test('the process says why it does not start', async () => {
    const env = { ...process.env, PORT: '0', TRACESMITH_KEYS_FILE: '', TRACESMITH_HOST: '0.0.0.0' };
    const run = promisify(execFile)(process.execPath, MAIN, { cwd: ROOT, env, timeout: DEADLINE_MS });
    await assert.rejects(run, ({ code, stdout, stderr }) => {
      assert.deepEqual([code, stdout], [1, '']);
      return (
        stderr.includes('TRACESMITH_KEYS_FILE or TRACESMITH_STORE must be set') &&
        stderr.includes('TRACESMITH_DEVELOPMENT=true')
      );
    });
  });

  test('with permission, it serves all addresses', async (t) => {
    const url = await start(t, { TRACESMITH_HOST: '0.0.0.0', TRACESMITH_DEVELOPMENT: 'true' });
    assert.match(url, /^http:\/\/localhost:\d+$/);
    assert.equal((await fetch(`${url}/livez`)).status, 200);
  });
});

test('with a key file or a store, the service listens on all addresses by default', async () => {
  assert.equal(await hostFor({ TRACESMITH_STORE: 'redis://127.0.0.1' }), '');
  assert.equal(await hostFor({ TRACESMITH_KEYS_FILE: 'keys.json' }), '');
});
