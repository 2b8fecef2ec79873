import type { Options } from 'tracesmith-wasm';
import type { Format, ImageLimits, Size } from '../image/format.ts';
import type { JobControl } from './job-control.mjs';

/** The build of the engine. Both give the same SVG, byte for byte. */
export type EngineName = 'wasm' | 'native';

/** What a worker thread is started with. */
export interface WorkerSettings {
  engine: EngineName;
  /** An engine whose memory has grown beyond this is discarded after the job. */
  keptBytes: number;
  /** The URL of the WebAssembly module that decodes small PNG files. */
  pngModule: string;
}

/** The encoding of a result: SVG text, or that text as a JSON string. */
export type OutputFormat = 'svg' | 'json';

/** What a job may take. */
export interface JobLimits extends ImageLimits {
  processingTimeoutMs: number;
  /** WebAssembly memory. */
  maxEngineBytes: number;
  /** CPU time of the trace. */
  maxCpuMs: number;
}

/** An image for a worker to decode and trace. The file's buffer is transferred to the worker. */
export interface Job {
  file: Uint8Array<ArrayBuffer>;
  format: Format;
  /** In the file's header. */
  size: Size;
  limits: JobLimits;
  options: Options;
  outputFormat: OutputFormat;
  control: JobControl;
}

/** Where a job ran. */
interface Ran {
  /** The id of the worker thread. */
  thread: number;
  /** What the thread's engine keeps for the next job. */
  keptBytes: number;
}

/** The result of a job. Width and height are the SVG's: the EXIF orientation may have swapped those of the file. */
export interface TraceResult extends Size, Ran {
  /** UTF-8, in the job's output format. */
  svg: Uint8Array<ArrayBuffer>;
  decodeMs: number;
  traceMs: number;
  /** Of `traceMs`, what the thread ran: less than the whole where threads share CPUs. */
  traceCpuMs: number;
}

/** Why a worker stopped a trace. Other codes come from the decoder or the engine. */
export type FailureCode = 'memory_exceeded' | 'cpu_exceeded' | 'canceled';

/** A known error of the decoder or the engine. Between threads, errors lose their class and their fields. */
export interface TraceFailure extends Ran {
  code: string;
  message: string;
  /** The job's file, transferred back: it may be traced again with higher limits. */
  file: Uint8Array<ArrayBuffer>;
}

/** A trace was stopped as it exceeded `limit`. */
export class LimitExceeded extends Error {
  readonly limit: 'memory' | 'cpu';
  readonly file: Uint8Array<ArrayBuffer>;

  constructor(limit: 'memory' | 'cpu', file: Uint8Array<ArrayBuffer>) {
    super(`the ${limit} limit of the job was exceeded`);
    this.limit = limit;
    this.file = file;
  }
}
