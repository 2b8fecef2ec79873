import type { Options } from 'tracesmith-wasm';
import type { Format, ImageLimits, Size } from '../image/format.ts';

/** Which build of the engine traces; the drawings are the same, byte for byte. */
export type EngineName = 'wasm' | 'native';

/** How a drawing is written: as it is, or as a JSON string. */
export type Form = 'svg' | 'json';

/** What a worker is given: a file, in a buffer of its own that can be transferred. */
export interface Job {
  file: Uint8Array<ArrayBuffer>;
  format: Format;
  limits: ImageLimits & { processingTimeoutMs: number };
  options: Options;
  form: Form;
}

/** The size is the drawing's: a picture may have been turned. */
export interface Traced extends Size {
  /** UTF-8. */
  drawing: Uint8Array<ArrayBuffer>;
  decodeMs: number;
  traceMs: number;
  /** The thread it was done on. */
  thread: number;
}

/** A failure that the decoder or the engine names: errors lose their class and code on the way between threads. */
export interface Refused {
  code: string;
  message: string;
}
