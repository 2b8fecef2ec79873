import type { Size } from '../image/format.ts';

/** The size of an image, and the memory reserved for tracing it. */
export interface MemoryEstimate {
  pixels: number;
  bytes: number;
}

/**
 * Measured per pixel: 20 bytes of WebAssembly memory for flat art, 40 to 60 for photographs and 40 for noise, and 4 bytes
 * outside for the decoded image. Noise traced without a speckle filter needs several times as much; the size does not
 * show that, and the engine's limit of 2 GiB bounds it.
 */
const BYTES_PER_PIXEL = 64;
/** The engine's memory for the smallest image. */
const BASE_BYTES = 2 * 1024 * 1024;

/** Estimates the memory for tracing an image before it is decoded. */
export function estimateMemory({ width, height }: Size): MemoryEstimate {
  const pixels = width * height;
  return { pixels, bytes: BASE_BYTES + pixels * BYTES_PER_PIXEL };
}
