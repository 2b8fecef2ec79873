import assert from 'node:assert/strict';
import { type ChildProcess, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { filesIn, folderOf, type Json, outcomeOf, program, run, start } from './command.ts';

const isWindows = process.platform === 'win32';
const MANY = 60;
const many = () =>
  folderOf(Object.fromEntries(Array.from({ length: MANY }, (_, i) => [`in/${i}.jpg`, 'landscape.jpg'])));

describe('signals and closed streams', { skip: isWindows && 'Windows has no such signals' }, () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    test(`${signal}: finished SVGs are complete, no other file is left, and the report is printed`, async () => {
      const cwd = many();
      const child = start(['in', '-o', 'out', '-j', '2', '--json'], { cwd });
      const outcome = outcomeOf(child);
      await firstTraced(child);
      child.kill(signal);
      const { signal: ended, stdout } = await outcome;
      assert.equal(ended, signal);
      const { files, totals, exitCode } = JSON.parse(stdout) as Json;
      assert.ok(totals.traced >= 1 && totals.interrupted >= 1, stdout.slice(0, 400));
      assert.equal(totals.traced + totals.interrupted, MANY);
      assert.equal(exitCode, signal === 'SIGINT' ? 130 : 143);
      const drawings = filesIn(join(cwd, 'out'));
      for (const name of drawings) {
        assert.match(name, /^\d+\.svg$/);
        assert.match(readFileSync(join(cwd, 'out', name), 'utf8'), /^<svg .*<\/svg>$/s);
      }
      // Running jobs may finish between the report and the end of the process.
      for (const { output, status } of files) {
        if (status === 'traced') assert.ok(drawings.includes(String(output).slice('out/'.length)));
      }
      const resumed = await run(['in', '-o', 'out', '--skip-existing'], { cwd });
      assert.equal(resumed.code, 0, resumed.stderr);
      assert.equal(filesIn(join(cwd, 'out')).length, MANY);
    });
  }

  test('closing stdout ends the process without a stack trace', async () => {
    const cwd = folderOf({ 'a.jpg': 'landscape.jpg' });
    const child = start(['a.jpg', '-o', '-'], { cwd });
    child.stdout?.destroy();
    const [[code], stderr] = await Promise.all([once(child, 'close'), textOf(child.stderr)]);
    assert.equal(code, 141);
    assert.doesNotMatch(stderr, /at |EPIPE/);
  });

  test('closing stderr does not stop the work', async () => {
    const cwd = folderOf({ 'in/a.jpg': 'landscape.jpg', 'in/b.png': 'logo.png' });
    const child = start(['in', '-o', 'out'], { cwd });
    child.stderr?.destroy();
    const [code] = await once(child, 'exit');
    assert.equal(code, 0);
    assert.equal(filesIn(join(cwd, 'out')).length, 2);
  });
});

/** Not necessarily the first line: Node.js may print a warning before. */
async function firstTraced({ stderr }: ChildProcess): Promise<void> {
  const lines = createInterface({ input: stderr as NodeJS.ReadableStream });
  for await (const line of lines) if (line.includes(' → ')) return;
}

const hasScript = spawnSync('script', ['--version']).status === 0;

describe('on a terminal', { skip: !hasScript && 'script, of util-linux, gives the terminal' }, () => {
  /** The output on a terminal, and the exit code. */
  function onTerminal(args: string[], cwd: string, env: Record<string, string>) {
    // Other variables (CI, FORCE_COLOR) would override the abilities of the terminal.
    const { PATH, HOME } = process.env;
    const command = [process.execPath, program, ...args].map((word) => `'${word}'`).join(' ');
    const options = { cwd, env: { PATH, HOME, TERM: 'xterm', ...env }, encoding: 'utf8' } as const;
    return spawnSync('script', ['-qec', command, '/dev/null'], { ...options, input: '' });
  }

  test('a progress bar, with failures above it', () => {
    const cwd = folderOf({ 'in/a.png': 'logo.png', 'in/b.png': 'logo.png' });
    writeFileSync(join(cwd, 'in', 'bad.png'), 'no picture');
    const { status, stdout } = onTerminal(['in', '-o', 'out'], cwd, {});
    assert.equal(status, 1);
    assert.match(stdout, /\[\.{30}\] 0 of 3/);
    assert.match(stdout, /\[#{30}\] 3 of 3/);
    assert.match(stdout, /bad\.png failed: /);
    assert.doesNotMatch(stdout, /a\.png →/);
    assert.ok(stdout.endsWith('2 traced, 1 failed.\r\n'), JSON.stringify(stdout.slice(-60)));
  });

  test('no progress bar with NO_COLOR, for a single image, and with --quiet', () => {
    const cwd = folderOf({ 'in/a.png': 'logo.png', 'in/b.png': 'logo.png' });
    const cases: [args: string[], env: Record<string, string>][] = [
      [['in', '-f'], { NO_COLOR: '1' }],
      [['in', '-f'], { TERM: 'dumb' }],
      [['in', '-f'], { CI: 'true' }],
      [['in/a.png', '-f'], {}],
      [['in', '-f', '-q'], {}],
    ];
    for (const [args, env] of cases) {
      const { status, stdout } = onTerminal(args, cwd, env);
      assert.equal(status, 0, stdout);
      assert.ok(!stdout.includes('\u001b') && !stdout.includes(' of 2'), JSON.stringify(stdout));
    }
  });

  test('stdin that is a terminal is an error', () => {
    const cwd = folderOf({});
    const { status, stdout } = onTerminal(['-'], cwd, {});
    assert.equal(status, 2);
    assert.match(stdout, /stdin is a terminal/);
  });
});

async function textOf(stream: NodeJS.ReadableStream | null): Promise<string> {
  const chunks: string[] = [];
  for await (const chunk of stream ?? []) chunks.push(String(chunk));
  return chunks.join('');
}
