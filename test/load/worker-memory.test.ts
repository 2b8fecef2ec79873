import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Job } from '../../host/tracing/job.ts';
import { createJobControl } from '../../host/tracing/job-control.mjs';
import { WorkerPool } from '../../host/tracing/worker-pool.ts';
import { picture } from '../http/service.ts';
import { noise } from '../http/support/noise.ts';

const MIB = 1024 * 1024;

describe('the memory limit of a job', () => {
  let pool: WorkerPool;
  before(() => {
    const settings = { threads: 1, engine: 'wasm', keptBytes: 64 * MIB } as const;
    pool = new WorkerPool({ ...settings, onWorkerExit: () => {}, onIdleError: () => {} });
  });
  after(() => pool.close());

  function run(file: Buffer, maxEngineBytes: number) {
    const largest = { maxPixels: 1e7, maxSidePx: 1e4 };
    const limits = { ...largest, processingTimeoutMs: 60_000, maxCpuMs: 60_000, maxEngineBytes };
    const common = { format: 'bmp', options: {}, outputFormat: 'svg', control: createJobControl() } as const;
    const size = { width: file.readInt32LE(18), height: Math.abs(file.readInt32LE(22)) };
    const job: Job = { ...common, file: new Uint8Array(file), size, limits };
    return pool.run(job, { timeoutMs: 60_000, signal: new AbortController().signal });
  }

  test('stops one whose engine takes more', async () => {
    await assert.rejects(run(noise(600, 600), 4 * MIB), { limit: 'memory' });
  });

  test('does not count what the engine keeps of an earlier, larger image', async () => {
    await run(noise(600, 600), 60 * MIB);
    const { svg } = await run(picture('letters.bmp'), 4 * MIB);
    assert.ok(svg.length > 0);
  });

  test('leaves what the pool says that its engines keep', async () => {
    await run(noise(600, 600), 60 * MIB);
    assert.ok(pool.keptBytes > 10 * MIB && pool.keptBytes <= 64 * MIB, String(pool.keptBytes));
    await run(picture('letters.bmp'), 4 * MIB);
    assert.ok(pool.keptBytes < 4 * MIB, String(pool.keptBytes));
  });
});
