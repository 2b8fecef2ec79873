import { bmpHeaderOf } from './headers-only.ts';

/** A BMP of random dots: quick to read, and as hard to trace as a picture of its size can be. */
export function noise(width: number, height: number): Buffer {
  const header = bmpHeaderOf(width, height);
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(header.length + rowBytes * height);
  let seed = 1;
  for (let at = header.length; at < file.length; at++) {
    // A linear congruential generator: the same dots every time.
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    file[at] = seed >>> 24;
  }
  header.copy(file);
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(header.length, 10);
  return file;
}
