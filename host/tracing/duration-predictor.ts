import type { Format } from '../image/format.ts';
import type { Detail } from './memory-estimate.ts';

/** What is known about an image before it is decoded. */
export interface ImageTraits {
  pixels: number;
  fileBytes: number;
  format: Format;
  detail: Detail;
}

/** What starting any job takes. */
const BASE_MS = 3;
/** For reading the file, however few pixels it holds. */
const DECODE_MS_PER_BYTE = 4e-6;
/** A file of more bytes per pixel than this is padded, not detailed. */
const MAX_BYTES_PER_PIXEL = 4;
/**
 * Measured for art and photographs; detail needs bytes in a compressed file, so the size of the file says more than the
 * number of pixels.
 */
const TRACE_MS: Record<Detail, { perPixel: number; perByte: number }> = {
  color: { perPixel: 5e-5, perByte: 1.5e-4 },
  everyPixel: { perPixel: 1.5e-4, perByte: 2e-3 },
  binaryPixels: { perPixel: 2e-5, perByte: 5e-5 },
  binary: { perPixel: 2e-5, perByte: 5e-5 },
};

/** Measurements that are remembered of each kind of image. */
const REMEMBERED = 15;
/** With fewer of a kind, those of all kinds are used. */
const MIN_MEASUREMENTS = 3;
/** The formula is never corrected by more than this factor. */
const MAX_FACTOR = 30;
/** Nor is it for a kind that has not been measured: machines differ less than images do. */
const MAX_MACHINE_FACTOR = 2;

/**
 * Predicts how long images take: by a formula for their size, corrected by the median of what images of the same kind
 * took. A median is not moved by a few outliers, and images of one kind do not change the prediction of another.
 */
export class DurationPredictor {
  readonly #factors = new Map<string, number[]>();

  /** The predicted duration of decoding and tracing, in milliseconds. */
  predictMs(image: ImageTraits): number {
    return formulaMs(image) * this.#factorOf(kindOf(image));
  }

  /** Remembers what an image took, or how long it ran before it was stopped. */
  learn(image: ImageTraits, ms: number): void {
    const factor = clamp(ms / formulaMs(image), 1 / MAX_FACTOR, MAX_FACTOR);
    const kind = kindOf(image);
    const factors = this.#factors.get(kind) ?? [];
    factors.push(factor);
    if (factors.length > REMEMBERED) factors.shift();
    this.#factors.set(kind, factors);
  }

  #factorOf(kind: string): number {
    const own = this.#factors.get(kind) ?? [];
    if (own.length >= MIN_MEASUREMENTS) return median(own);
    // What all kinds have in common is the speed of the machine. Each kind counts once, however many images it has.
    const others = [...this.#factors.values()].filter(({ length }) => length >= MIN_MEASUREMENTS);
    return clamp(median(others.map(median)), 1 / MAX_MACHINE_FACTOR, MAX_MACHINE_FACTOR);
  }
}

/** Images that differ in size and in bytes per pixel by less than a factor of four. The number of kinds is bounded. */
function kindOf({ pixels, fileBytes, format, detail }: ImageTraits): string {
  const bytesPerPixel = clamp(fileBytes / pixels, 1 / 1024, 2 * MAX_BYTES_PER_PIXEL);
  return [format, detail, magnitude(pixels), magnitude(bytesPerPixel)].join(' ');
}

const magnitude = (value: number) => Math.round(Math.log2(value) / 2);

function formulaMs({ pixels, fileBytes, detail }: ImageTraits): number {
  const { perPixel, perByte } = TRACE_MS[detail];
  const detailBytes = Math.min(fileBytes, pixels * MAX_BYTES_PER_PIXEL);
  return BASE_MS + fileBytes * DECODE_MS_PER_BYTE + pixels * perPixel + detailBytes * perByte;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** The lower one of the two in the middle; 1 of no values. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 1;
}
