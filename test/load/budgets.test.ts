import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, test } from 'node:test';
import { availableCpus } from '../../host/config/available-cpus.ts';
import { MemoryBudget } from '../../host/limits/memory-budget.ts';
import { engineBytes, estimateMemory } from '../../host/tracing/memory-estimate.ts';
import { planMemory } from '../../host/tracing/memory-plan.ts';

const MIB = 1024 * 1024;

describe('a budget', () => {
  test('leaves something for the next account, however many hold as much as they may', () => {
    const budget = new MemoryBudget(1_000);
    const take = (account: string) => {
      let bytes = 0;
      while (budget.reserveFor(account, 1) !== undefined) bytes++;
      return bytes;
    };
    assert.deepEqual([take('a'), take('b'), take('c')], [500, 250, 125]);
    assert.ok(
      budget.reserveFor('d', 100),
      'what is free may be taken at once by an account that holds nothing',
    );
  });

  test('is given back, once', () => {
    const budget = new MemoryBudget(100);
    const first = budget.reserveFor('a', 50) ?? assert.fail();
    assert.equal(budget.reserveFor('a', 1), undefined);
    first.release();
    first.release();
    assert.equal(budget.reservedBytes, 0);
    assert.ok(budget.reserveFor('a', 50));
  });

  test('a reservation can always grow; others then wait', () => {
    const budget = new MemoryBudget(100);
    const upload = budget.reserveFor('a', 40) ?? assert.fail();
    upload.resize(150);
    assert.equal(budget.reservedBytes, 150);
    assert.equal(budget.reserveFor('b', 1), undefined);
    upload.release();
    upload.resize(150);
    assert.equal(budget.reservedBytes, 0, 'work that ends after the release takes nothing');
  });
});

describe('memory', () => {
  test('a photograph of 40 MP with default options fits into the default settings', () => {
    const { keptBytes, sharedBytes } = planMemory(2_048 * MIB, 3);
    assert.ok(engineBytes(keptBytes + sharedBytes, 40e6) / 40e6 > 40, 'bytes of engine memory per pixel');
  });

  test('all parts together are the total', () => {
    for (const threads of [1, 3, 65]) {
      const { keptBytes, sharedBytes } = planMemory(1_024 * MIB, threads);
      assert.ok(keptBytes * threads <= 256 * MIB);
      assert.equal(keptBytes * threads + sharedBytes, 1_024 * MIB);
    }
  });

  test('every pixel that can become a shape is expected to need more', () => {
    const size = { width: 1_000, height: 1_000 };
    const worst = (options: object) => estimateMemory(size, options).worstBytes / 1e6;
    assert.ok(worst({ filterSpeckle: 0 }) > 1_100);
    assert.ok(worst({ filterSpeckle: 1 }) > 1_100);
    assert.ok(worst({}) < 700);
    assert.ok(worst({ colorMode: 'binary', filterSpeckle: 0 }) < 350);
    assert.ok(worst({ colorMode: 'binary', filterSpeckle: 0, mode: 'none' }) > 900);
  });
});

describe('available CPUs', () => {
  const cases: [name: string, files: Record<string, string>, expected: number][] = [
    ['cgroup v2', { 'cpu.max': '150000 100000\n' }, 2],
    ['cgroup v2, less than one', { 'cpu.max': '20000 100000\n' }, 1],
    ['cgroup v2 without a limit', { 'cpu.max': 'max 100000\n' }, 8],
    ['cgroup v1', { 'cpu/cpu.cfs_quota_us': '300000\n', 'cpu/cpu.cfs_period_us': '100000\n' }, 3],
    ['cgroup v1 without a limit', { 'cpu/cpu.cfs_quota_us': '-1\n', 'cpu/cpu.cfs_period_us': '100000\n' }, 8],
    ['more than the machine has', { 'cpu.max': '6400000 100000\n' }, 8],
    ['no cgroups', {}, 8],
  ];
  for (const [name, files, expected] of cases) {
    test(name, (t) => {
      const folder = mkdtempSync(join(tmpdir(), 'cgroup-'));
      t.after(() => rmSync(folder, { recursive: true }));
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(folder, file)), { recursive: true });
        writeFileSync(join(folder, file), text);
      }
      assert.equal(availableCpus(folder, 8), expected);
    });
  }
});
