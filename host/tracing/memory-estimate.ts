import type { Size } from '../image/format.ts';

/** What a picture will take, as far as its size tells. */
export interface Need {
  pixels: number;
  bytes: number;
}

/**
 * Flat art takes 20 bytes a pixel of WebAssembly memory, photographs 40 to 60, noise 40, and their decoded pixels 4 bytes
 * outside. Only where no speckle is filtered does noise take several times as much; no size tells, and the engine's own
 * bound of 2 GiB ends it.
 */
const BYTES_PER_PIXEL = 64;
/** What even the smallest picture needs: the engine's first pages. */
const LEAST_BYTES = 2 * 1024 * 1024;

/** What tracing a picture is charged with before it is decoded. */
export function needOf({ width, height }: Size): Need {
  const pixels = width * height;
  return { pixels, bytes: LEAST_BYTES + pixels * BYTES_PER_PIXEL };
}
