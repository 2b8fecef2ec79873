import { bmpHeaderOf } from './image-headers.ts';

/** A BMP of random squares: fast to decode and, with squares of two pixels, as slow to trace as an image of its size can be. */
export function noise(width: number, height: number, dotPx = 1): Buffer {
  const header = bmpHeaderOf(width, height);
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(header.length + rowBytes * height);
  let seed = 1;
  for (let y = 0; y < height; y++) {
    const row = header.length + rowBytes * y;
    if (y % dotPx > 0) {
      file.copy(file, row, row - rowBytes, row);
      continue;
    }
    for (let x = 0; x < width; x++) {
      // A linear congruential generator: the same squares every time.
      if (x % dotPx === 0) seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      file.writeUIntBE(seed >>> 8, row + 3 * x, 3);
    }
  }
  header.copy(file);
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(header.length, 10);
  return file;
}
