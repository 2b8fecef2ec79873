// Builds the image's folders with the commands of the Dockerfile, from an empty folder, and runs what the image would run.
import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build, type Stage } from './dockerfile.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const DEADLINE_MS = 120_000;
const parent = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(parent, { recursive: true }));

/** Copies the files of a clone that the ignore file lets the build see. */
function copyContext(to: string): void {
  const lines = readFileSync(join(ROOT, 'deploy', 'Dockerfile.dockerignore'), 'utf8').split('\n');
  const seen = lines.filter((line) => line.startsWith('!')).map((line) => line.slice(1));
  const listed = spawnSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    encoding: 'utf8',
  });
  for (const path of listed.stdout.split('\n').filter((path) => seen.includes(path.split('/', 1)[0] ?? ''))) {
    mkdirSync(dirname(join(to, path)), { recursive: true });
    cpSync(join(ROOT, path), join(to, path));
  }
}

describe('the image', { skip: process.platform !== 'linux' && 'images are of Linux' }, () => {
  let image: Stage;

  before(() => {
    chmodSync(parent, 0o755);
    const context = join(parent, 'context');
    copyContext(context);
    image = build(join(ROOT, 'deploy', 'Dockerfile'), context, parent);
  });

  /** How to run a program of the image here. */
  function options(env: Record<string, string> = {}) {
    const keysFile = join(image.root, String(image.env.TRACESMITH_KEYS_FILE));
    const user = process.getuid?.() === 0 ? image.user : {};
    return { ...user, cwd: image.folder, env: { ...image.env, TRACESMITH_KEYS_FILE: keysFile, ...env } };
  }

  test('runs as a user who is not root', () => assert.ok(image.user.uid >= 1_000 && image.user.gid >= 1_000));

  test('issues keys, serves, is healthy, and ends at SIGTERM', async (t) => {
    const issued = await promisify(execFile)(
      process.execPath,
      ['keys.js', 'issue', '--tier', 'pro'],
      options(),
    );
    const [program, ...args] = image.command;
    assert.equal(program, 'node');
    const child = spawn(process.execPath, args, options({ PORT: '0', TRACESMITH_ADMIN_PORT: '0' }));
    t.after(() => child.kill('SIGKILL'));
    let log = '';
    child.stderr.on('data', (text) => {
      log += text;
    });
    const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
    const lines: string[] = [];
    const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line));
    while (lines.length < 2) await once(reader, 'line', deadline);
    const [url, admin] = lines.map((line) => String(/http:\/\/[^/\s]+/.exec(line)?.[0]));

    const body = new FormData();
    const picture = readFileSync(join(ROOT, 'test', 'pictures', 'logo.png'));
    body.set('file', new Blob([new Uint8Array(picture)]), 'logo.png');
    const headers = { authorization: `Bearer ${issued.stdout.trim()}` };
    const response = await fetch(`${url}/v1/vectorize`, { method: 'POST', headers, body });
    assert.equal(response.status, 200, log);

    const check = image.healthCheck.slice(1).map((text) => {
      const inImage = `http://127.0.0.1:${image.env.TRACESMITH_ADMIN_PORT}/`;
      return text.replace(inImage, `${admin}/`);
    });
    assert.match(check.join(' '), new RegExp(`${admin}/livez`));
    const exitCode = () => spawnSync(process.execPath, check, { timeout: DEADLINE_MS }).status;
    assert.equal(exitCode(), 0);
    const exit = once(child, 'exit', deadline);
    child.kill('SIGTERM');
    assert.deepEqual(await exit, [0, null]);
    assert.equal(exitCode(), 1);
  });
});
