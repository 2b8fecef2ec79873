/** A BMP of random dots: quick to read, and as hard to trace as a picture of its size can be. */
export function noise(width: number, height: number): Buffer {
  const HEADER_BYTES = 54;
  const rowBytes = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(HEADER_BYTES + rowBytes * height);
  let seed = 1;
  for (let at = HEADER_BYTES; at < file.length; at++) {
    // A linear congruential generator: the same dots every time.
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    file[at] = seed >>> 24;
  }
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  file.writeUInt32LE(HEADER_BYTES, 10);
  file.writeUInt32LE(40, 14);
  file.writeInt32LE(width, 18);
  file.writeInt32LE(height, 22);
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  return file;
}
