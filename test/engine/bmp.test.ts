import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as wasm from 'tracesmith-wasm';

const limits = { maxPixels: 1_000_000, maxSide: 4096 };

/** A 24-bit BMP, rows from bottom to top, whose header states the given size, whatever `pixels` holds. */
function bmp(width: number, height: number, pixels: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(54 + pixels.length);
  const view = new DataView(bytes.buffer);
  bytes.set([0x42, 0x4d]);
  view.setUint32(2, bytes.length, true);
  view.setUint32(10, 54, true);
  view.setUint32(14, 40, true);
  view.setInt32(18, width, true);
  view.setInt32(22, height, true);
  view.setUint16(26, 1, true);
  view.setUint16(28, 24, true);
  bytes.set(pixels, 54);
  return bytes;
}

const NO_COMPRESSION = 0;
const RLE8 = 1;
const HUFFMAN_OR_BITFIELDS = 3;
const RLE24_OR_JPEG = 4;

/** Two pixels, red and blue, of a palette of two colors, with a header of the given length. Fields that do not fit are left out. */
function os2(headerLength: number, compression = NO_COMPRESSION, bits = 8): Uint8Array {
  const header = new DataView(new ArrayBuffer(Math.max(64, headerLength)));
  header.setUint32(0, headerLength, true);
  header.setUint32(4, 2, true);
  header.setUint32(8, 1, true);
  header.setUint16(12, 1, true);
  header.setUint16(14, bits, true);
  header.setUint32(16, compression, true);
  header.setUint32(32, headerLength < 36 ? 0 : 2, true);
  // The 24 bytes that only OS/2 has.
  new Uint8Array(header.buffer).fill(0xee, 40);
  const colors = headerLength < 36 ? 256 : 2;
  const palette = new Uint8Array(4 * colors);
  palette.set([0, 0, 255, 0, 255, 0, 0, 0]);
  const pixels = compression === RLE8 ? [1, 0, 1, 1, 0, 1] : [0, 1, 0, 0];
  const file = new Uint8Array(14 + headerLength + palette.length + pixels.length);
  file.set([0x42, 0x4d]);
  new DataView(file.buffer).setUint32(10, file.length - pixels.length, true);
  file.set(new Uint8Array(header.buffer, 0, headerLength), 14);
  file.set(palette, 14 + headerLength);
  file.set(pixels, file.length - pixels.length);
  return file;
}

/** Numbers below `end`, the same in every run: a linear congruential generator. */
function randomBelow(): (end: number) => number {
  let state = 1;
  return (end) => {
    state = (state * 1664525 + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * end);
  };
}

describe('BMP', () => {
  before(() => wasm.init());

  test('decodes to RGBA, top row first', () => {
    // Channels are blue, green, red; rows are padded to four bytes.
    const file = bmp(1, 2, Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 0));
    const image = wasm.decodeBmp(file, limits);
    assert.deepEqual([image.width, image.height], [1, 2]);
    assert.deepEqual([...image.data], [6, 5, 4, 255, 3, 2, 1, 255]);
    assert.equal(typeof wasm.traceSync(image), 'string');
  });

  for (const length of [16, 20, 22, 36, 42, 60, 64]) {
    test(`decodes a header of OS/2 2.x with ${length} bytes`, () => {
      const image = wasm.decodeBmp(os2(length), limits);
      assert.deepEqual([image.width, image.height], [2, 1]);
      assert.deepEqual([...image.data], [255, 0, 0, 255, 0, 0, 255, 255]);
    });
  }

  test('decodes runs of one color in a file of OS/2 2.x', () => {
    const image = wasm.decodeBmp(os2(64, RLE8), limits);
    assert.deepEqual([...image.data], [255, 0, 0, 255, 0, 0, 255, 255]);
  });

  test('decodes every changed file, or refuses it with an error of its own', () => {
    const below = randomBelow();
    const files = [os2(12), os2(16), os2(40), os2(64), os2(64, RLE8), bmp(3, 3, new Uint8Array(36))];
    let decoded = 0;
    for (let round = 0; round < 4000; round++) {
      const file = Uint8Array.from(files[round % files.length] as Uint8Array);
      for (let changes = 1 + below(4); changes > 0; changes--) file[below(90)] = below(256);
      const length = below(8) === 0 ? below(file.length) : file.length;
      try {
        const { width, height, data } = wasm.decodeBmp(file.subarray(0, length), limits);
        assert.equal(data.length, width * height * 4);
        decoded++;
      } catch (error) {
        assert.ok(error instanceof wasm.TracesmithError, `round ${round}: ${error}`);
        assert.match(error.code, /^(invalid_image|image_too_large)$/);
      }
    }
    assert.ok(decoded > 100, `only ${decoded} decoded`);
  });

  const rejected: [string, Uint8Array, wasm.TracesmithErrorCode][] = [
    ['no bytes', new Uint8Array(), 'invalid_image'],
    ['another format', new TextEncoder().encode('not a bitmap at all'), 'invalid_image'],
    ['a header of 17 bytes without the last', os2(17).subarray(0, 30), 'invalid_image'],
    ['a header longer than any', os2(66), 'invalid_image'],
    ['Huffman coding of OS/2', os2(64, HUFFMAN_OR_BITFIELDS, 1), 'invalid_image'],
    ['runs of 24 bits of OS/2', os2(64, RLE24_OR_JPEG, 24), 'invalid_image'],
    ['an empty side', bmp(0, 2, new Uint8Array(30)), 'invalid_image'],
    ['missing pixels', bmp(100, 100, new Uint8Array(30)), 'invalid_image'],
    ['too many pixels', bmp(2000, 2000, new Uint8Array(30)), 'image_too_large'],
    ['a side too long', bmp(5000, 1, new Uint8Array(30)), 'image_too_large'],
    [
      'the largest size that a header can state',
      bmp(0x7fff_ffff, 0x7fff_ffff, new Uint8Array()),
      'image_too_large',
    ],
  ];
  for (const [name, file, code] of rejected) {
    test(`${name}: ${code}`, () => {
      const before = wasm.memoryBytes();
      assert.throws(() => wasm.decodeBmp(file, limits), { name: 'TracesmithError', code });
      assert.ok(wasm.memoryBytes() - before < 1 << 20, 'memory was allocated before the size was checked');
    });
  }
});
