import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { readCommand } from '../../scripts/bench/arguments.ts';
import type { Gap, Results } from '../../scripts/bench/core/results.ts';
import { writeReport } from '../../scripts/bench/report/write.ts';
import { measureStarts } from '../../scripts/bench/starts/measure.ts';
import { findRuntimes } from '../../scripts/bench/starts/runtimes.ts';

const folder = mkdtempSync(join(tmpdir(), 'tracesmith-starts-'));

after(() => rmSync(folder, { recursive: true }));

test('first images are measured unless engines are compared', () => {
  assert.ok(readCommand([]).parts.includes('starts'));
  assert.ok(!readCommand(['--compare', 'before']).parts.includes('starts'));
});

test('without a Deno, Node.js is measured and Deno is a gap', () => {
  const gaps: Gap[] = [];
  const names = findRuntimes(gaps, ['no-such-deno', process.execPath]).map(({ name }) => name);
  assert.deepEqual(names, [`Node.js ${process.versions.node}`]);
  assert.deepEqual(
    gaps.map(({ what }) => what),
    ['first images in Deno'],
  );
});

test('a package that fails is a gap with the reason', async () => {
  const gaps: Gap[] = [];
  writeFileSync(join(folder, 'index.js'), "throw new RangeError('broken')");
  assert.deepEqual(await measureStarts(folder, 2, gaps), []);
  const inNode = gaps.filter(({ what }) => what.startsWith('first images in Node.js'));
  assert.equal(inNode.length, 2);
  for (const { why } of inNode) assert.match(why, /^ended: .*broken/);
});

test('the report has the medians over processes', async () => {
  const start = (importMs: number, initMs: number, firstMs: number) => {
    return { importMs, initMs, tracesMs: [firstMs, 7, 6, 6, 6, 6, 6, 6, 6, 5] };
  };
  // The sum is that of one process, and not of the medians.
  const processes = [start(1, 30, 500), start(2, 20, 100), start(3, 10, 400)];
  const starts = [{ runtime: 'Node.js 1.2.3', picture: 'logo-256', processes }];
  const conditions = { date: '2026-01-01', machine: 'one', commit: 'one', mode: 'quick' };
  const results: Results = {
    ...conditions,
    contenders: [],
    pictures: [],
    measurements: [],
    gaps: [],
    starts,
  };
  await writeReport(results, folder);
  const report = readFileSync(join(folder, 'report.md'), 'utf8');
  assert.match(
    report,
    /^\| runtime and picture \| import \| init \| first \| second \| tenth \| first SVG after import \|$/m,
  );
  assert.match(report, /^\| Node\.js 1\.2\.3, logo-256 \| 2 \| 20 \| 400 \| 7 \| 5 \| 413 \|$/m);
  assert.match(readFileSync(join(folder, 'report.html'), 'utf8'), /<td[^>]*>Node\.js 1\.2\.3, logo-256</);
});
