import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DEADLINE_MS, PICTURES } from './service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(folder, { recursive: true }));

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

function run(...args: string[]): Promise<Result> {
  const command = ['--import', 'tsx', 'host/cli/trace.ts', ...args];
  return new Promise((resolve) => {
    execFile(process.execPath, command, { cwd: ROOT, timeout: DEADLINE_MS }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

test('one picture to one file', async () => {
  const out = join(folder, 'one.svg');
  const { code, stderr } = await run(
    'test/pictures/letters.gif',
    out,
    '--mode',
    'polygon',
    '--filter-speckle',
    '0',
  );
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^\[1\/1\] test\/pictures\/letters\.gif → .*one\.svg \(\d+ bytes, \d+ ms\)\n$/);
  assert.match(readFileSync(out, 'utf8'), /^<svg[\s\S]*<\/svg>/);
});

test('many to a folder, two of which would have the same name', async () => {
  const out = join(folder, 'many');
  const { code, stderr } = await run(
    ...PICTURES.map(({ name }) => `test/pictures/${name}`),
    '--out-dir',
    out,
  );
  assert.equal(code, 0, stderr);
  assert.deepEqual(readdirSync(out).sort(), [
    'badge.svg',
    'landscape.svg',
    'letters.bmp.svg',
    'letters.svg',
    'logo.svg',
  ]);
});

test('a failure is told, the rest goes on, and the exit code is 1', async () => {
  const bad = join(folder, 'bad.png');
  writeFileSync(bad, 'no picture');
  const out = join(folder, 'rest');
  const { code, stderr } = await run(
    bad,
    join(folder, 'missing.png'),
    'test/pictures/logo.png',
    '--out-dir',
    out,
  );
  assert.equal(code, 1);
  assert.match(stderr, /\[1\/3\] .*failed: .*PNG, JPEG, WebP, GIF and BMP/);
  assert.match(stderr, /\[2\/3\] .*failed: ENOENT/);
  assert.deepEqual(readdirSync(out), ['logo.svg']);
});

test('wrong use is exit code 2, with the flag’s name', async () => {
  const cases = [
    [],
    ['a.png', '--mode', 'splines'],
    ['a.png', '--color-precision', '9'],
    ['a.png', '--colour', 'x'],
    ['a.png', '--filter-speckle', ''],
  ];
  for (const args of cases) {
    const { code, stderr } = await run(...args);
    assert.equal(code, 2, stderr);
    assert.match(stderr, args[1] === undefined ? /picture/ : new RegExp(args[1]));
  }
});

test('--help lists every option', async () => {
  const { code, stdout } = await run('--help');
  assert.equal(code, 0);
  for (const flag of ['--color-mode', '--filter-speckle', '--splice-threshold', '--mode', '--out-dir']) {
    assert.ok(stdout.includes(flag), flag);
  }
});
