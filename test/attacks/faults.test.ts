import assert from 'node:assert/strict';
import { execFile, execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generateKey } from '../../host/auth/api-key.ts';
import { DEADLINE_MS, form, picture, Service } from '../http/service.ts';
import { ENGINE_FAULTS, faultyImage, startFaulty } from './support/faulty-service.ts';
import { assertRecovered, assertServes, type Resources, resourcesAtRest } from './support/resources.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const isWindows = process.platform === 'win32';
const letters = picture('letters.gif');

// Each has its own service, and mostly waits for deadlines.
describe('injected faults', { concurrency: true }, () => {
  describe('faults of the engine', { concurrency: 1 }, () => {
    let service: Service;
    let rest: Resources;
    let remaining = 10;
    before(async () => {
      service = await startFaulty({ TRACESMITH_PROCESSING_TIMEOUT_MS: '1500' });
      rest = await resourcesAtRest(service);
    });
    after(() => service.stop());

    for (const [what, { height, expected }] of Object.entries(ENGINE_FAULTS)) {
      test(`${what}: ${expected.join(' or ')}, beside other requests and repeatedly`, async () => {
        const { free } = service.keys;
        const faults = Array.from({ length: 2 }, () =>
          service.post(form(faultyImage(height)), { key: free }),
        );
        const others = Array.from({ length: 6 }, () => service.post(form(letters)));
        for (const { status, json, text } of await Promise.all(faults)) {
          assert.ok(expected.includes(`${status} ${json.code}`), text);
          assert.deepEqual(Object.keys(json).sort(), [
            'code',
            'detail',
            'requestId',
            'status',
            'title',
            'type',
          ]);
          assert.ok(!/wasm|unreachable|worker|stack|node_modules/i.test(text), `shows no internals: ${text}`);
          // Only what is the image's fault counts against the rate.
          if (status !== 500) remaining--;
        }
        for (const { status, text } of await Promise.all(others)) assert.equal(status, 200, text);
        const next = await service.post(form(letters), { key: free });
        remaining--;
        assert.equal(next.headers['x-ratelimit-remaining'], String(remaining));
        await assertRecovered(service, rest);
      });
    }
  });

  describe('jumps of the clock', { skip: isWindows && 'Windows has no SIGUSR2' }, () => {
    test('change neither rates nor deadlines nor keys', async (t) => {
      const service = await startFaulty();
      t.after(() => service.stop());
      const { free } = service.keys;
      for (let i = 0; i < 10; i++)
        assert.equal((await service.post(form(letters), { key: free })).status, 200);
      for (const jump of ['a day forward', 'two days back', 'a day forward again']) {
        service.process.kill('SIGUSR2');
        await sleep(100);
        const limited = await service.post(form(letters), { key: free });
        assert.equal(`${limited.status} ${limited.json.code}`, '429 rate_limited', jump);
        const waitS = Number(limited.headers['retry-after']);
        assert.ok(waitS >= 1 && waitS <= 60, `${jump}: Retry-After ${waitS}`);
        await assertServes(service);
      }
      assert.ok(!service.log.some((line) => line.includes('"level":"error"')));
    });
  });

  describe('a key file that is damaged while the service runs', { concurrency: 1 }, () => {
    let service: Service;
    let rest: Resources;
    let valid: Buffer;
    before(async () => {
      service = await Service.start();
      valid = readFileSync(service.keysFile);
      rest = await resourcesAtRest(service);
    });
    after(() => service.stop());

    /** Each puts something else in the place of the file. */
    const damages: Record<string, (path: string) => void> = {
      'cut in half': (path) => writeFileSync(path, valid.subarray(0, valid.length / 2)),
      'of NULs, as after a crash': (path) => writeFileSync(path, Buffer.alloc(valid.length)),
      'of 16 MiB of garbage': (path) => writeFileSync(path, Buffer.alloc(16 * 1024 * 1024, 'x')),
      missing: (path) => rmSync(path),
      'a folder': (path) => {
        rmSync(path);
        mkdirSync(path);
      },
      ...(isWindows
        ? {}
        : {
            'a pipe that nobody writes': (path: string) => {
              rmSync(path);
              execFileSync('mkfifo', [path]);
            },
          }),
    };
    for (const [what, damage] of Object.entries(damages)) {
      test(`${what}: known keys work, unknown ones get 503, and a valid file is read again`, async () => {
        damage(service.keysFile);
        await service.untilMetric('tracesmith_key_file_up_to_date', 0);
        assert.equal((await service.post(form(letters))).status, 200);
        const unknown = await service.post(form(letters), { key: generateKey() });
        assert.equal(`${unknown.status} ${unknown.json.code}`, '503 auth_unavailable');
        rmSync(service.keysFile, { recursive: true, force: true });
        writeFileSync(service.keysFile, valid);
        await service.untilMetric('tracesmith_key_file_up_to_date', 1);
        await assertRecovered(service, rest);
      });
    }
  });

  describe('a full disk', { skip: isWindows && 'Windows has no ulimit' }, () => {
    test('a key that cannot be stored is not issued, and the file stays as it was', async (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
      t.after(() => rmSync(folder, { recursive: true }));
      const file = join(folder, 'keys.json');
      const row = { hash: 'a'.repeat(64), account: 'a', tier: 'free', label: 'x'.repeat(64 * 1024) };
      writeFileSync(file, JSON.stringify({ keys: [row] }));
      const before = readFileSync(file);
      // No process of this shell can write a file beyond 32 KiB.
      const command = `ulimit -f 32 && exec "$0" --import tsx host/cli/keys/main.ts issue --tier free --file "$1"`;
      const options = { cwd: ROOT, timeout: DEADLINE_MS, env: { ...process.env, TSX_DISABLE_CACHE: '1' } };
      const { code, stdout, stderr } = await new Promise<{ code: unknown; stdout: string; stderr: string }>(
        (resolve) => {
          execFile('bash', ['-c', command, process.execPath, file], options, (error, stdout, stderr) =>
            resolve({ code: error?.code ?? 0, stdout, stderr }),
          );
        },
      );
      assert.deepEqual([code, stdout], [1, ''], stderr);
      assert.match(stderr, /EFBIG|too large/i);
      assert.deepEqual(readFileSync(file), before);
      assert.deepEqual(readdirSync(folder), ['keys.json']);
    });
  });
});
