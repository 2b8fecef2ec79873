import type { Options } from 'tracesmith-wasm';
import type { Format, ImageLimits, Size } from '../image/format.ts';

/** The build of the engine. Both give the same SVG, byte for byte. */
export type EngineName = 'wasm' | 'native';

/** The encoding of a result: SVG text, or that text as a JSON string. */
export type OutputFormat = 'svg' | 'json';

/** An image for a worker to decode and trace. The file's buffer is transferred to the worker. */
export interface Job {
  file: Uint8Array<ArrayBuffer>;
  format: Format;
  limits: ImageLimits & { processingTimeoutMs: number };
  options: Options;
  outputFormat: OutputFormat;
}

/** The result of a job. Width and height are the SVG's: the EXIF orientation may have swapped those of the file. */
export interface TraceResult extends Size {
  /** UTF-8, in the job's output format. */
  svg: Uint8Array<ArrayBuffer>;
  decodeMs: number;
  traceMs: number;
  /** The id of the worker thread. */
  thread: number;
}

/** A known error of the decoder or the engine. Between threads, errors lose their class and their fields. */
export interface TraceFailure {
  code: string;
  message: string;
}
