import type { Options } from 'tracesmith-wasm';
import type { ImageLimits, Pixels } from './decode.ts';
import type { Size } from './format.ts';

/** Which build of the engine traces; the drawings are the same, byte for byte. */
export type EngineName = 'wasm' | 'native';

/** How a drawing is written: as it is, or as a JSON string. */
export type Form = 'svg' | 'json';

/** What a worker is given: pixels, or a BMP, which only the engine's module can decode. */
export type Job = { options: Options; form: Form } & (
  | { pixels: Pixels }
  | { bmp: Uint8Array<ArrayBuffer>; limits: ImageLimits }
);

/** The size is the drawing's: a picture may have been turned. */
export interface Traced extends Size {
  /** UTF-8. */
  drawing: Uint8Array<ArrayBuffer>;
  /** Time in the worker's BMP decoder; 0 for other formats. */
  decodeMs: number;
  traceMs: number;
  /** The thread it was done on. */
  thread: number;
}

/** A failure the engine names: its errors lose their class and code on the way between threads. */
export interface Refused {
  code: string;
  message: string;
}
