import { move, transferableSymbol, valueSymbol } from 'piscina';
import {
  decodeBmp,
  init,
  memoryBytes,
  type Options,
  recycle,
  TracesmithError,
  traceSync,
} from 'tracesmith-wasm';
import type { ImageLimits, Pixels } from './decode.ts';

/** What a worker is given: pixels, or a BMP, which only the engine's module can decode. */
export type Job = { options: Options; form: Form } & (
  | { pixels: Pixels }
  | { bmp: Uint8Array<ArrayBuffer>; limits: ImageLimits }
);

/** How a drawing is written: as it is, or as a JSON string. */
export type Form = 'svg' | 'json';

export interface Traced {
  /** UTF-8. Written here, as megabytes of text would hold up every other request on the main thread. */
  drawing: Uint8Array<ArrayBuffer>;
  /** Time in this worker's BMP decoder; 0 for other formats. */
  decodeMs: number;
  traceMs: number;
}

/** A failure the engine names: its errors lose their class and code on the way between threads. */
export interface Refused {
  code: string;
  message: string;
}

/** An engine that has grown past this is built anew; pictures of a few megapixels stay below. */
const KEPT_BYTES = 256 * 1024 * 1024;

// Piscina calls a worker ready when this module has been loaded, so the first job finds a compiled engine.
await init();

export default function run(job: Job) {
  try {
    const traced = trace(job);
    return move({ [transferableSymbol]: [traced.drawing.buffer], [valueSymbol]: traced });
  } catch (error) {
    // After a trap the package has already dropped its instance; the next job gets a new one.
    if (error instanceof TracesmithError)
      return { code: error.code, message: error.message } satisfies Refused;
    throw error;
  } finally {
    // A module's memory never shrinks: one large picture would keep its gigabyte until the process ends.
    if (memoryBytes() > KEPT_BYTES) recycle();
  }
}

function trace(job: Job): Traced {
  const start = performance.now();
  const image = 'pixels' in job ? job.pixels : decodeBmp(job.bmp, bmpLimits(job.limits));
  const decoded = performance.now();
  const svg = traceSync(image, job.options);
  const traced = performance.now();
  const drawing = new TextEncoder().encode(job.form === 'json' ? JSON.stringify(svg) : svg);
  return { drawing, decodeMs: 'pixels' in job ? 0 : decoded - start, traceMs: traced - decoded };
}

function bmpLimits({ maxPixels, maxSidePx }: ImageLimits) {
  return { maxPixels, maxSide: maxSidePx };
}
