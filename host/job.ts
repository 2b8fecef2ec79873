import type { Options } from 'tracesmith-wasm';
import type { ImageLimits, Pixels } from './decode.ts';

/** How a drawing is written: as it is, or as a JSON string. */
export type Form = 'svg' | 'json';

/** What a worker is given: pixels, or a BMP, which only the engine's module can decode. */
export type Job = { options: Options; form: Form } & (
  | { pixels: Pixels }
  | { bmp: Uint8Array<ArrayBuffer>; limits: ImageLimits }
);

export interface Traced {
  /** UTF-8. */
  drawing: Uint8Array<ArrayBuffer>;
  /** Time in the worker's BMP decoder; 0 for other formats. */
  decodeMs: number;
  traceMs: number;
}

/** A failure the engine names: its errors lose their class and code on the way between threads. */
export interface Refused {
  code: string;
  message: string;
}
