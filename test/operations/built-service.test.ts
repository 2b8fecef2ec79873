import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, type TestContext, test } from 'node:test';
import { Valkey } from '../../scripts/processes/valkey.ts';
import { buildService } from '../../scripts/release/service-folder.ts';
import { DEADLINE_MS, picture } from '../http/service.ts';
import { needsValkey } from '../store/use-valkey.ts';

const parent = mkdtempSync(join(tmpdir(), 'tracesmith-'));
const folder = join(parent, 'service');
const temporary = join(parent, 'tmp');

before(async () => {
  await buildService(folder);
  mkdirSync(temporary);
  chmodSync(parent, 0o755);
  chmodSync(temporary, 0o777);
  for (const { path, mode } of entriesOf(folder)) chmodSync(path, mode & 0o555);
});

after(() => {
  for (const { path, mode } of entriesOf(folder)) chmodSync(path, mode | 0o700);
  rmSync(parent, { recursive: true });
});

/** All files and folders in a folder, and that folder. */
function entriesOf(folder: string): { path: string; mode: number; text: string }[] {
  const names = ['', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort();
  return names.map((name) => {
    const path = join(folder, name);
    const { mode, size, mtimeMs } = statSync(path);
    return { path, mode: mode & 0o777, text: `${name} ${size} ${mtimeMs}` };
  });
}

/** As root, tests run the service as a user who may write nowhere. */
function unprivileged(): { uid?: number; gid?: number } {
  const nobody = { uid: 65_534, gid: 65_534 };
  if (process.getuid?.() !== 0) return {};
  const { status } = spawnSync(process.execPath, ['--version'], { ...nobody, cwd: '/' });
  return status === 0 ? nobody : {};
}

/** Starts a program of the built folder without any variable of this process. */
function start(t: TestContext, args: string[], env: Record<string, string>) {
  const options = { ...unprivileged(), cwd: folder, env: { TMPDIR: temporary, ...env } };
  const child = spawn(process.execPath, args, options);
  t.after(() => child.kill('SIGKILL'));
  return child;
}

test('a folder with other files is not replaced, an earlier build is', async () => {
  const other = join(parent, 'other');
  mkdirSync(other);
  writeFileSync(join(other, 'main.js'), 'mine');
  await assert.rejects(buildService(other), /other holds other files/);
  assert.equal(readFileSync(join(other, 'main.js'), 'utf8'), 'mine');
  for (const name of ['keys.js', 'worker.js', 'old.js']) writeFileSync(join(other, name), '');
  await buildService(other);
  assert.ok(!readdirSync(other).includes('old.js'));
});

describe('the built service', () => {
  test('starts and serves as another user, and writes nothing', async (t) => {
    const untouched = entriesOf(folder);
    const startMs = performance.now();
    const child = start(t, ['main.js'], { PORT: '0', TRACESMITH_WORKERS: '2' });
    let log = '';
    child.stderr.on('data', (text) => {
      log += text;
    });
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
    while (!lines.some((line) => line.startsWith('curl'))) await once(reader, 'line', deadline);
    t.diagnostic(`ready in ${Math.round(performance.now() - startMs)} ms`);
    const [, url, key] = /^curl (\S+)\/v1\S* -H '.*Bearer (\S+)'/.exec(lines.at(-1) ?? '') ?? [];

    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(picture('logo.png'))]), 'logo.png');
    const headers = { authorization: `Bearer ${key}` };
    const traced = await fetch(`${url}/v1/vectorize`, { method: 'POST', headers, body });
    assert.equal(traced.status, 200, log);
    assert.match(((await traced.json()) as { svg: string }).svg, /<\/svg>/);
    for (const [path, type] of [
      ['/', 'text/html; charset=utf-8'],
      ['/docs', 'text/html; charset=utf-8'],
      ['/playground/page.js', 'text/javascript; charset=utf-8'],
      ['/playground/engine_gradients_bg.wasm', 'application/wasm'],
      ['/openapi.json', 'application/json'],
    ] as const) {
      const page = await fetch(`${url}${path}`);
      assert.deepEqual([page.status, page.headers.get('content-type')], [200, type], path);
      assert.ok((await page.arrayBuffer()).byteLength > 1_000, path);
    }

    const exit = once(child, 'exit', deadline);
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    assert.deepEqual(entriesOf(folder), untouched);
    assert.deepEqual(readdirSync(temporary), []);
  });

  test('includes the keys command', async (t) => {
    const child = start(t, ['keys.js', 'list', '--json', '--file', join(temporary, 'none.json')], {});
    let errors = '';
    child.stderr.on('data', (text) => {
      errors += text;
    });
    const [code] = await once(child, 'close', { signal: AbortSignal.timeout(DEADLINE_MS) });
    assert.equal(code, 1);
    assert.match(errors, /none\.json does not exist\. The keys command "issue" creates it\.\n$/);
  });

  test('includes the client of the store', needsValkey, async (t) => {
    const valkey = await Valkey.start();
    t.after(() => valkey.stop());
    const env = { TRACESMITH_STORE: valkey.url };
    const issue = start(t, ['keys.js', 'issue', '--tier', 'free'], env);
    const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
    const exit = once(issue, 'close', deadline);
    const [key] = await once(createInterface({ input: issue.stdout }), 'line', deadline);
    assert.deepEqual((await exit)[0], 0);
    const service = start(t, ['main.js'], {
      ...env,
      PORT: '0',
      TRACESMITH_HOST: '127.0.0.1',
      TRACESMITH_WORKERS: '1',
    });
    const [line] = await once(createInterface({ input: service.stdout }), 'line', deadline);
    const body = new FormData();
    body.set('file', new Blob([new Uint8Array(picture('logo.png'))]), 'logo.png');
    const [url] = /http:\S+/.exec(line) ?? [];
    const headers = { authorization: `Bearer ${key}` };
    const traced = await fetch(`${url}/v1/vectorize`, { method: 'POST', headers, body });
    assert.deepEqual([traced.status, traced.headers.get('x-ratelimit-remaining')], [200, '9']);
    const ended = once(service, 'exit', deadline);
    service.kill('SIGTERM');
    assert.deepEqual(await ended, [0, null]);
  });

  test('depends on sharp alone, in the version of this repository', () => {
    const read = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));
    const { packages } = read('package-lock.json');
    const { version } = packages['node_modules/sharp'];
    assert.deepEqual(read(folder, 'package.json').dependencies, { sharp: version });
    const locked = read(folder, 'package-lock.json').packages;
    for (const [path, entry] of Object.entries(locked))
      if (path !== '') assert.deepEqual(entry, packages[path]);
    const installed = readdirSync(join(folder, 'node_modules')).filter((name) => name !== '@img');
    assert.ok(installed.includes('sharp'));
    for (const name of installed) assert.ok(`node_modules/${name}` in locked, name);
  });

  test('has the notices of what is bundled', () => {
    const notices = readFileSync(join(folder, 'THIRD-PARTY-NOTICES'), 'utf8');
    for (const name of [
      'busboy',
      'ioredis',
      'negotiator',
      'pino',
      'piscina',
      'prom-client',
      'wasm-bindgen',
      'fdeflate',
    ])
      assert.match(notices, new RegExp(`^${name} \\d|\\b${name} \\d`, 'm'), name);
    assert.ok(!notices.includes('(undefined)'));
  });
});
