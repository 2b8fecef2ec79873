import type { Options } from 'tracesmith-wasm';
import type { Settings } from '../config/settings.ts';
import { problem } from '../errors/problem.ts';
import { identify, measure } from '../image/inspect.ts';
import { MemoryBudget } from '../limits/memory-budget.ts';
import { rounded, StepTimings } from '../observability/step-timings.ts';
import { DurationPredictor } from '../tracing/duration-predictor.ts';
import type { EngineName } from '../tracing/job.ts';
import { planMemory } from '../tracing/memory-plan.ts';
import { Queue } from '../tracing/queue.ts';
import { type TraceContext, traceImage } from '../tracing/trace-image.ts';
import { WorkerPool } from '../tracing/worker-pool.ts';
import type { ExistingFilePolicy } from './command.ts';
import { countPaths, keepsExisting, readImage, writeSvg } from './files.ts';
import type { Task } from './outputs.ts';

/** The settings of the service that also limit the command line. */
export const LIMITS = [
  'maxFileBytes',
  'maxPixels',
  'maxSidePx',
  'processingTimeoutMs',
  'memoryBytes',
] as const;
export type Limits = Pick<Settings, (typeof LIMITS)[number]>;

/** No limit: the longest delay of a timer. */
const MAX_WAIT_MS = 2 ** 31 - 1;

export interface FileTracerOptions {
  limits: Limits;
  options: Options;
  existing: ExistingFilePolicy;
  engine: EngineName;
  jobs: number;
}

/** What the JSON report says about a traced image. */
export interface TracedFile {
  width: number;
  height: number;
  inputBytes: number;
  outputBytes: number;
  paths: number;
  decodeMs: number;
  traceMs: number;
  thread: number;
}

/** Traces image files to SVG files on `jobs` threads. */
export class FileTracer {
  readonly #settings: FileTracerOptions;
  readonly #context: TraceContext;
  /** Aborted when the engine cannot be loaded. */
  readonly #failure = new AbortController();

  constructor(settings: FileTracerOptions) {
    this.#settings = settings;
    const { jobs, engine, limits } = settings;
    // A thread without a job fails only if it cannot load its engine; then no thread can.
    const onIdleError = (cause: unknown) => this.#failure.abort(problem('engine_not_started', { cause }));
    const { keptBytes, sharedBytes } = planMemory(limits.memoryBytes, jobs);
    const pool = new WorkerPool({ threads: jobs, engine, keptBytes, onWorkerExit: () => {}, onIdleError });
    const memory = new MemoryBudget(sharedBytes);
    // The time limit of an image is the only one here: there are no others whose time it takes.
    const queue = new Queue({
      ...{ workers: jobs, smallWorkers: 0, memory, keptBytes },
      ...{ maxWaitMs: MAX_WAIT_MS, maxCpuMs: Number.POSITIVE_INFINITY },
    });
    const { signal } = this.#failure;
    const [predictor, cpuPredictor] = [new DurationPredictor(), new DurationPredictor()];
    this.#context = { queue, pool, predictor, cpuPredictor, limits, account: '', signal };
  }

  /** Reads, traces and writes one image. Resolves to undefined if its SVG exists and is to be kept. */
  async trace(task: Task): Promise<TracedFile | undefined> {
    const { limits, options, existing } = this.#settings;
    if (await keepsExisting(task, existing)) return undefined;
    const file = await readImage(task.from, limits.maxFileBytes);
    // The buffer is transferred to a thread and has no length afterwards.
    const inputBytes = file.length;
    const format = identify(file);
    const size = await measure(file, format, limits);
    const timings = new StepTimings();
    const input = { file, format, size, config: options, outputFormat: 'svg' as const };
    const { svg, width, height, thread } = await traceImage(input, this.#context, timings);
    await writeSvg(task.to, svg);
    const [decodeMs, traceMs] = [rounded(timings.get('decode')), rounded(timings.get('trace'))];
    const counts = { inputBytes, outputBytes: svg.length, paths: countPaths(svg) };
    return { width, height, ...counts, decodeMs, traceMs, thread };
  }

  async close(): Promise<void> {
    await this.#context.pool.close();
  }
}
