import type { Size } from './format.ts';

/** What a picture will take, as far as its size tells. */
export interface Need {
  pixels: number;
  bytes: number;
}

/**
 * Flat art, ramps and photographs take 15 to 51 bytes a pixel of WebAssembly memory, and their decoded pixels 4 bytes
 * outside. Noise takes about 170; no size tells, and the engine's own bound of 2 GiB ends it.
 */
const BYTES_PER_PIXEL = 64;
/** What even the smallest picture needs: the engine's first pages. */
const LEAST_BYTES = 2 * 1024 * 1024;

/** What tracing a picture is charged with before it is decoded. */
export function needOf({ width, height }: Size): Need {
  const pixels = width * height;
  return { pixels, bytes: LEAST_BYTES + pixels * BYTES_PER_PIXEL };
}
