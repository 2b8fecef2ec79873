import type { Options } from 'tracesmith-wasm';
import type { Size } from '../image/format.ts';

/** The memory for tracing an image, in bytes: as most images take it, and the most that its options can cost. */
export interface MemoryEstimate {
  expectedBytes: number;
  worstBytes: number;
}

/** The engine's memory for the smallest image. */
const BASE_BYTES = 2 * 1024 * 1024;
/** The decoded image, outside the engine. */
const DECODED_BYTES_PER_PIXEL = 4;
/** The SVG text outside the engine, as a share of the engine's memory. Measured: 11 % at most. */
const TEXT_SHARE = 1 / 8;

/** Measured bytes of engine memory per pixel, from a megapixel on: 14 to 31 for art, 36 to 56 for photographs, 56 to 59 for small print. */
const EXPECTED_BYTES_PER_PIXEL = 64;
/**
 * The most that the options can cost. Measured from 0.1 to 1.4 megapixels on noise, dither and checkerboards with cells of 1 to 8
 * pixels, in all modes: 1,333 if no speckle is removed and each pixel becomes a shape, 486 if speckles of one pixel are; in black and
 * white 831 if the outlines of all pixels are kept, else 231. And more here, as lists grow by doubling.
 */
const WORST_BYTES_PER_PIXEL = { everyPixel: 1_490, color: 570, binaryPixels: 930, binary: 260 };
/** At this `filterSpeckle` and below, no pixel is a speckle. */
const MAX_INEFFECTIVE_SPECKLE_PX = 1;
const DEFAULT_FILTER_SPECKLE_PX = 4;

/** Kinds of options by what they can cost. */
export type Detail = keyof typeof WORST_BYTES_PER_PIXEL;

export function detailOf({ colorMode, mode, filterSpeckle = DEFAULT_FILTER_SPECKLE_PX }: Options): Detail {
  const keepsPixels = filterSpeckle <= MAX_INEFFECTIVE_SPECKLE_PX;
  if (colorMode === 'binary') return keepsPixels && mode === 'none' ? 'binaryPixels' : 'binary';
  return keepsPixels ? 'everyPixel' : 'color';
}

/** Estimates the memory for tracing an image before it is decoded. */
export function estimateMemory({ width, height }: Size, options: Options): MemoryEstimate {
  const pixels = width * height;
  return {
    expectedBytes: totalBytes(pixels, EXPECTED_BYTES_PER_PIXEL),
    worstBytes: totalBytes(pixels, WORST_BYTES_PER_PIXEL[detailOf(options)]),
  };
}

function totalBytes(pixels: number, engineBytesPerPixel: number): number {
  const engineBytes = BASE_BYTES + pixels * engineBytesPerPixel;
  return Math.ceil(engineBytes * (1 + TEXT_SHARE) + pixels * DECODED_BYTES_PER_PIXEL);
}

/** How much of `totalBytes` the engine may take: the inverse of the estimate. */
export function engineBytes(totalBytes: number, pixels: number): number {
  return Math.floor((totalBytes - pixels * DECODED_BYTES_PER_PIXEL) / (1 + TEXT_SHARE));
}
