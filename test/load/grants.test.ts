import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Problem } from '../../host/errors/problem.ts';
import { MemoryBudget } from '../../host/limits/memory-budget.ts';
import { StepTimings } from '../../host/observability/step-timings.ts';
import { DurationPredictor } from '../../host/tracing/duration-predictor.ts';
import { type Job, type JobLimits, LimitExceeded } from '../../host/tracing/job.ts';
import { Queue } from '../../host/tracing/queue.ts';
import { type InputImage, traceImage } from '../../host/tracing/trace-image.ts';
import type { WorkerPool } from '../../host/tracing/worker-pool.ts';
import { form, Service } from '../http/service.ts';
import { checkerboard } from './bombs.ts';
import { codeOf } from './loaded-service.ts';

const MIB = 1024 ** 2;
const KEPT_BYTES = 64 * MIB;
const MOST_BYTES = 1_920 * MIB;
/** As the queue of a service with 2 GiB and two workers. */
const MAX_CPU_MS = 20_000;
const SIDE_PX = 1_000;

/** What an image needs, and whose it is. */
interface Given {
  engineBytes?: number;
  cpuMs?: number;
  traceMs?: number;
  traceCpuMs?: number;
  sidePx?: number;
  account?: string;
  /** Of elapsed and of CPU time. */
  predictors?: [DurationPredictor, DurationPredictor];
}

const predictors = () => [new DurationPredictor(), new DurationPredictor()] satisfies Given['predictors'];

/** Traces an image with an engine that needs so much; resolves to what each run was granted. */
async function grantsOf(needed: Given, options: Job['options'] = {}) {
  const { traceMs = 1, traceCpuMs = traceMs, sidePx = SIDE_PX, account = 'a' } = needed;
  const [predictor, cpuPredictor] = needed.predictors ?? predictors();
  const size = { width: sidePx, height: sidePx };
  const granted: JobLimits[] = [];
  const run = async ({ file, limits }: Job) => {
    granted.push(limits);
    if ((needed.engineBytes ?? 0) > limits.maxEngineBytes) throw new LimitExceeded('memory', file);
    if ((needed.cpuMs ?? 0) > limits.maxCpuMs) throw new LimitExceeded('cpu', file);
    return { svg: file, ...size, decodeMs: 1, traceMs, traceCpuMs, thread: 1, keptBytes: 0 };
  };
  const memory = new MemoryBudget(MOST_BYTES - KEPT_BYTES);
  const queue = new Queue({
    ...{ workers: 2, smallWorkers: 1, memory, keptBytes: KEPT_BYTES },
    ...{ maxWaitMs: 10_000, maxCpuMs: MAX_CPU_MS },
  });
  const context = {
    ...{ queue, pool: { run } as unknown as WorkerPool, predictor, cpuPredictor },
    limits: { maxPixels: 1e8, maxSidePx: 1e5, processingTimeoutMs: 30_000 },
    ...{ account, signal: new AbortController().signal },
  };
  const image: InputImage = {
    ...{ file: Buffer.alloc(5_000), format: 'png', size, config: options, outputFormat: 'svg' },
  };
  const failure: Problem | undefined = await traceImage(image, context, new StepTimings()).then(
    () => undefined,
    (error: Problem) => error,
  );
  assert.equal(memory.reservedBytes, 0);
  return { granted, failure };
}

describe('an image is refused only after it had', () => {
  test('the most memory that any image gets, though its options were estimated to need less', async () => {
    const { granted, failure } = await grantsOf({ engineBytes: 4_096 * MIB });
    assert.equal(failure?.code, 'image_too_complex');
    assert.match(failure?.message ?? '', /more than 1,920 MiB of memory/);
    assert.equal(granted.length, 3);
    const most = granted.at(-1)?.maxEngineBytes ?? 0;
    assert.ok(most > (MOST_BYTES * 3) / 4, `${most / MIB} MiB for the engine`);
  });

  test('the most CPU time', async () => {
    const { granted, failure } = await grantsOf({ cpuMs: MAX_CPU_MS + 1 });
    assert.match(failure?.message ?? '', /more than 20 s of CPU time/);
    assert.equal(granted.at(-1)?.maxCpuMs, MAX_CPU_MS);
  });
});

test('an image that needs more than estimated gets it', async () => {
  const { granted, failure } = await grantsOf({ engineBytes: 1_000 * MIB });
  assert.equal(failure, undefined);
  assert.equal(granted.length, 3);
});

test('what the options can cost is enough for the costliest images measured', async () => {
  const costliest: [bytesPerPixel: number, options: Job['options']][] = [
    [831, { colorMode: 'binary', filterSpeckle: 0, mode: 'none' }],
    [831, { colorMode: 'binary', filterSpeckle: 1, mode: 'none' }],
    [231, { colorMode: 'binary', filterSpeckle: 0 }],
    [231, { colorMode: 'binary', filterSpeckle: 2, mode: 'none' }],
    [1_333, { filterSpeckle: 0, layerDifference: 0, colorPrecision: 8 }],
    [486, { filterSpeckle: 1.1, layerDifference: 0, colorPrecision: 8 }],
  ];
  for (const [bytesPerPixel, options] of costliest) {
    const { granted, failure } = await grantsOf({ engineBytes: bytesPerPixel * SIDE_PX ** 2 }, options);
    assert.equal(failure, undefined, JSON.stringify(options));
    assert.equal(granted.length, 2, JSON.stringify(options));
  }
});

describe('an image stays small', () => {
  const isSmallAfter = async (slow: Given, account: string) => {
    const learned = { sidePx: 256, predictors: predictors() };
    for (let i = 0; i < 10; i++) await grantsOf({ ...learned, ...slow });
    const { granted } = await grantsOf({ ...learned, account });
    return (granted[0]?.maxCpuMs ?? 0) < MAX_CPU_MS;
  };

  test('after slow images of another account that look alike', async () => {
    assert.equal(await isSmallAfter({ account: 'slow', traceMs: 10_000 }, 'slow'), false);
    assert.equal(await isSmallAfter({ account: 'slow', traceMs: 10_000 }, 'new'), true);
  });

  test('after others took long because they had little of the CPUs', async () => {
    assert.equal(await isSmallAfter({ account: 'a', traceMs: 10_000, traceCpuMs: 20 }, 'a'), true);
  });
});

test('a checkerboard whose pixels all become outlines is traced', async () => {
  const service = await Service.start();
  try {
    const config = { colorMode: 'binary', mode: 'none', filterSpeckle: 0 };
    assert.equal(codeOf(await service.post(form(await checkerboard(500), config))), '200');
  } finally {
    await service.stop();
  }
});
