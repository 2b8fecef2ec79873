import { lstat } from 'node:fs/promises';
import type { Options } from 'tracesmith-wasm';
import type { Settings } from '../config/settings.ts';
import { Problem } from '../errors/problem.ts';
import { identify, measure } from '../image/inspect.ts';
import { Budget } from '../limits/memory-budget.ts';
import { rounded, Timings } from '../observability/step-timings.ts';
import { convert } from '../tracing/decode-and-trace.ts';
import type { EngineName } from '../tracing/job.ts';
import { needOf } from '../tracing/memory-estimate.ts';
import { Queue } from '../tracing/queue.ts';
import { Pool } from '../tracing/worker-pool.ts';
import type { Existing } from './command.ts';
import { FileError } from './failure.ts';
import { readPicture, writeDrawing } from './files.ts';
import type { Task } from './outputs.ts';

/** The service's own, where a picture is concerned. */
export const LIMITS = [
  'maxFileBytes',
  'maxPixels',
  'maxSidePx',
  'processingTimeoutMs',
  'memoryBytes',
] as const;
export type Limits = Pick<Settings, (typeof LIMITS)[number]>;

/** Whoever waits here is in no hurry: the longest a timer can be set to. */
const LONGEST_WAIT_MS = 2 ** 31 - 1;

export interface Terms {
  limits: Limits;
  options: Options;
  existing: Existing;
  engine: EngineName;
  jobs: number;
}

/** What is told of a drawing. */
export interface Drawn {
  width: number;
  height: number;
  inputBytes: number;
  outputBytes: number;
  paths: number;
  decodeMs: number;
  traceMs: number;
  thread: number;
}

/** Traces one picture after the other, as many at once as it is called, up to its number of threads. */
export class Tracer {
  readonly #terms: Terms;
  readonly #pool: Pool;
  readonly #queue: Queue;
  /** Aborted when no thread can work. */
  readonly #end = new AbortController();

  constructor(terms: Terms) {
    this.#terms = terms;
    const { jobs, engine } = terms;
    const onIdleError = (cause: unknown) => this.#end.abort(broken(cause));
    this.#pool = new Pool({ size: jobs, spare: 0, engine, onEnd: () => {}, onIdleError });
    this.#queue = new Queue(jobs, new Budget(terms.limits.memoryBytes), LONGEST_WAIT_MS);
  }

  /** Reads, decodes, traces and writes one picture. Undefined where its drawing is there, and is to stay. */
  async trace({ from, to, isSpelled }: Task): Promise<Drawn | undefined> {
    const { limits, options, existing } = this.#terms;
    if (!isSpelled && existing !== 'replace' && (await isThere(to))) {
      if (existing === 'keep') return undefined;
      throw new FileError('output_exists', `${to} is there already; --force writes over it.`);
    }
    const file = await readPicture(from, limits.maxFileBytes);
    // The file is handed over to a thread: afterwards it has no length here.
    const inputBytes = file.length;
    const format = identify(file);
    const size = await measure(file, format, limits);
    const times = new Timings();
    const input = { file, format, config: options, form: 'svg' as const };
    const means = { pool: this.#pool, limits, gone: this.#end.signal };
    const { drawing, width, height, thread } = await this.#queue.run(needOf(size), means.gone, () =>
      convert(input, means, times),
    );
    await writeDrawing(to, drawing);
    const [decodeMs, traceMs] = [rounded(times.get('decode')), rounded(times.get('trace'))];
    const bytes = { inputBytes, outputBytes: drawing.length, paths: countPaths(drawing) };
    return { width, height, ...bytes, decodeMs, traceMs, thread };
  }

  async close(): Promise<void> {
    await this.#pool.close();
  }
}

/** A thread without a picture fails when it cannot load its engine; then no other can. */
const broken = (cause: unknown) =>
  new Problem('engine_failure', 'The engine could not be started.', { cause });

/** A link that leads nowhere is there, too. */
const isThere = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

function countPaths(svg: Uint8Array): number {
  const bytes = Buffer.from(svg.buffer, svg.byteOffset, svg.length);
  let count = 0;
  for (let at = bytes.indexOf('<path'); at >= 0; at = bytes.indexOf('<path', at + 1)) count++;
  return count;
}
