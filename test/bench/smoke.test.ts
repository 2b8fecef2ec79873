import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { savedFolder } from '../../scripts/bench/core/paths.ts';
import type { Results } from '../../scripts/bench/core/results.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const SAVED = `smoke-${process.pid}`;
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-bench-'));

after(() => {
  rmSync(folder, { recursive: true });
  rmSync(savedFolder(SAVED), { recursive: true, force: true });
});

function bench(...flags: string[]): { status: number | null; said: string } {
  const args = [
    '--import',
    'tsx',
    join(ROOT, 'scripts', 'bench', 'main.ts'),
    '--as-built',
    '--out',
    folder,
    ...flags,
  ];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    cwd: ROOT,
    timeout: 120_000,
  });
  return { status, said: stdout + stderr };
}

const read = (name: string) => readFileSync(join(folder, name), 'utf8');

// No peers, and nothing installed: the benchmark must not need a network to be known to work.
test('the benchmark runs, keeps an engine and compares with it', () => {
  const first = bench('--mode', 'smoke', '--parts', 'engine', '--only', 'icon,scan', '--save', SAVED);
  assert.equal(first.status, 0, first.said);
  const { measurements, contenders } = JSON.parse(read('results.json')) as Results;
  assert.equal(measurements.length, 2 * contenders.length);
  for (const { cpuMs, bytes, picture, stagesMs = {} } of measurements) {
    assert.ok(cpuMs.every((ms) => ms > 0) && cpuMs.length === 1, picture);
    assert.ok(bytes > 200, picture);
    // Those that every picture goes through, in their order.
    const stages = Object.keys(stagesMs).filter((name) => ['prepare', 'fit', 'write'].includes(name));
    assert.deepEqual(stages, ['prepare', 'fit', 'write'], picture);
  }
  assert.match(read('report.md'), /\| scan-64 \| tracesmith wasm \|/);
  assert.match(read('report.html'), /<\/html>\n$/);
  assert.match(read('time-per-pixel.svg'), /^<svg .*<\/svg>$/s);

  const second = bench('--mode', 'smoke', '--only', 'icon', '--rounds', '5', '--compare', SAVED);
  assert.equal(second.status, 0, second.said);
  // The same engine draws the same.
  assert.match(read('report.md'), /\| icon-64 \| [\d.]+ .*\| same \| – \|/);
});

test('the benchmark calls a service', () => {
  const { status, said } = bench('--mode', 'smoke', '--parts', 'requests');
  assert.equal(status, 0, said);
  const { requests, measurements } = JSON.parse(read('results.json')) as Results;
  assert.equal(measurements.length, 0);
  assert.deepEqual(
    requests?.map(({ workers }) => workers),
    [2, 1],
  );
  for (const { latenciesMs, engineMs, perSecond, refused } of requests ?? []) {
    assert.equal(latenciesMs.length, 4);
    assert.equal(refused, 0);
    assert.ok(engineMs.every((ms, i) => ms > 0 && ms < Number(latenciesMs[i])));
    assert.ok(perSecond.every((found) => found > 0));
  }
  assert.match(read('report.md'), /\| 64 px, 2 connections, 1 worker \|/);
});

test('the benchmark starts new processes for first images', () => {
  const { status, said } = bench('--mode', 'smoke', '--parts', 'starts');
  assert.equal(status, 0, said);
  const { starts = [], measurements, requests, gaps } = JSON.parse(read('results.json')) as Results;
  assert.deepEqual([measurements.length, requests], [0, undefined]);
  for (const { processes, runtime } of starts) {
    assert.equal(processes.length, 1, runtime);
    for (const { importMs, initMs, tracesMs } of processes) {
      assert.equal(tracesMs.length, 10, runtime);
      assert.ok([importMs, initMs, ...tracesMs].every(Number.isFinite), runtime);
    }
  }
  const report = read('report.md');
  const cells = '\\| [\\d.,]+ '.repeat(6);
  for (const picture of ['logo-256', 'text-512'])
    assert.match(report, new RegExp(`^\\| Node\\.js ${process.versions.node}, ${picture} ${cells}\\|$`, 'm'));
  // Where there is no Deno, the report says so.
  const hasDeno = starts.some(({ runtime }) => runtime.startsWith('Deno '));
  assert.equal(hasDeno, !gaps.some(({ what }) => what === 'first images in Deno'));
  assert.match(report, hasDeno ? /^\| Deno \S+, logo-256 \|/m : /^- first images in Deno: /m);
});

test('what cannot be done is said, and ends with 1', () => {
  for (const [flags, message] of [
    [['--compare', 'never-saved'], /nothing is saved as "never-saved"/],
    [['--save', '../x'], /The name of a saved engine/],
    [['--only', 'icons'], /'--only <kinds>' argument 'icons' is invalid\. Expected all, or some of icon,/],
    [['--sizes', '0'], /--sizes.* Expected whole numbers/],
    [['--fast'], /--fast/],
  ] as const) {
    const { status, said } = bench(...flags);
    assert.equal(status, 1, said);
    assert.match(said, message);
  }
});
