import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { generateKey } from '../../host/auth/api-key.ts';
import { NAMES } from '../../host/store/scripts.ts';
import { serviceProgram } from '../../scripts/processes/programs.ts';
import { DEADLINE_MS, form, hashOf, Service } from '../http/service.ts';
import { noise } from '../http/support/noise.ts';
import { needsValkey, useValkey } from './use-valkey.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const LIMIT = 5;
const image = form(noise(4, 4));
const server = useValkey();

describe('a start while the store is out of reach', needsValkey, () => {
  beforeEach(async () => {
    await server.valkey.restart();
    server.valkey.resume();
  });

  const settings = () => ({ TRACESMITH_STORE: server.valkey.url, TRACESMITH_WORKERS: '1' });

  async function putKey(key: string): Promise<void> {
    const row = { hash: hashOf(key), account: key.slice(-8), tier: 'pro', limit: LIMIT };
    await server.observer.set(NAMES.keysExist, '1');
    await server.observer.hset(NAMES.keys, row.hash, JSON.stringify(row));
  }

  async function readiness(service: Service): Promise<[status: number, text: string]> {
    const { status, text } = await service.get('/readyz');
    return [status, text];
  }

  async function untilReady(service: Service): Promise<void> {
    const endMs = Date.now() + DEADLINE_MS;
    while ((await readiness(service))[0] !== 200) {
      if (Date.now() > endMs) throw new Error('not ready within the deadline');
      await sleep(20);
    }
    assert.deepEqual(await readiness(service), [200, '{"status":"ok"}']);
  }

  const NOT_READY = [503, '{"status":"store_unavailable"}'];

  const FAULTS = [
    { name: 'nothing listens', fail: () => server.valkey.kill(), repair: () => server.valkey.restart() },
    {
      name: 'it accepts connections and says nothing',
      fail: () => server.valkey.freeze(),
      repair: () => server.valkey.resume(),
    },
  ];
  for (const { name, fail, repair } of FAULTS)
    test(`${name}: not ready, and ready by itself when it answers`, async (t) => {
      const key = generateKey();
      await fail();
      const service = await Service.start(settings());
      t.after(() => service.stop());
      assert.deepEqual(await readiness(service), NOT_READY);
      assert.equal((await service.get('/livez')).status, 200);
      assert.deepEqual(
        await Promise.all(
          ['ready', 'shutting_down', 'store_available'].map((one) => service.metric(`tracesmith_${one}`)),
        ),
        [0, 0, 0],
      );
      await service.untilLogged('not ready until it answers');
      const unknown = await service.post(image, { key });
      assert.deepEqual([unknown.status, unknown.json.code], [503, 'auth_unavailable']);
      assert.ok(Number(unknown.headers['retry-after']) > 0);
      assert.equal((await service.post(image)).status, 200, 'a key of the file needs no store');

      await repair();
      await putKey(key);
      await untilReady(service);
      await service.untilLogged('the store answers');
      assert.equal(await service.metric('tracesmith_ready'), 1);
      assert.equal(await service.metric('tracesmith_store_outages_total'), 0, 'it was never lost');
      const answers = await Promise.all(
        Array.from({ length: 4 * LIMIT }, () => service.post(image, { key })),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, LIMIT);
    });

  test('the first signal shuts it down in order', async (t) => {
    await server.valkey.kill();
    const service = await Service.start({ ...settings(), TRACESMITH_DRAIN_DELAY_MS: '500' });
    t.after(() => service.stop());
    const exit = once(service.process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    service.process.kill('SIGTERM');
    await service.untilMetric('tracesmith_shutting_down', 1);
    assert.deepEqual(await readiness(service), [503, '{"status":"draining"}']);
    assert.deepEqual(await exit, [0, null]);
  });

  test('wrong credentials end the process, and are not logged', async () => {
    const { port } = server.valkey;
    const url = `redis://user:s3cret-password@127.0.0.1:${port}`;
    const env = { ...process.env, PORT: '0', TRACESMITH_WORKERS: '1', TRACESMITH_STORE: url };
    const start = promisify(execFile)(process.execPath, serviceProgram, {
      cwd: ROOT,
      env,
      timeout: DEADLINE_MS,
    });
    await assert.rejects(
      start,
      ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => {
        assert.equal(code, 1);
        assert.match(stderr, /"cannot start"/);
        assert.match(stderr, /WRONGPASS/);
        assert.ok(!`${stdout}${stderr}`.includes('s3cret'), stderr);
        return true;
      },
    );
  });
});
