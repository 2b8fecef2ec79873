import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
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
const RLE4 = 2;
const HUFFMAN_OR_MASKS = 3;
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

/** Fields of a BMP of Windows. Numbers of the palette and of `masks` are written as they are, lowest byte first. */
interface Fields {
  size: [number, number];
  bits: number;
  compression?: number;
  masks?: number[];
  palette?: number[];
  pixels: number[];
}

/** A file whose header has 56 bytes: masks of all four channels stand in it. */
function withFields({
  size,
  bits,
  compression = NO_COMPRESSION,
  masks = [],
  palette = [],
  pixels,
}: Fields): Uint8Array {
  const start = 70 + 4 * palette.length;
  const file = new DataView(new ArrayBuffer(start + pixels.length));
  file.setUint16(0, 0x424d);
  file.setUint32(10, start, true);
  file.setUint32(14, 56, true);
  file.setInt32(18, size[0], true);
  file.setInt32(22, size[1], true);
  file.setUint16(26, 1, true);
  file.setUint16(28, bits, true);
  file.setUint32(30, compression, true);
  file.setUint32(46, palette.length, true);
  for (const [k, mask] of masks.entries()) file.setUint32(54 + 4 * k, mask, true);
  for (const [k, color] of palette.entries()) file.setUint32(70 + 4 * k, color, true);
  for (const [k, byte] of pixels.entries()) file.setUint8(start + k, byte);
  return new Uint8Array(file.buffer);
}

const RED = 0xff0000ff;
const GREEN = 0x00ff00ff;
const BLUE = 0x0000ffff;
const BLACK = 0x000000ff;
/** As in a palette: without alpha, red highest. */
const PALETTE = [BLACK, RED, GREEN, BLUE].map((color) => color >>> 8);

/** Pixels as RGBA, red highest. */
function pixelsOf({ data }: { data: Uint8Array }): number[] {
  const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
  return Array.from({ length: data.length / 4 }, (_, k) => view.getUint32(4 * k));
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
  test('decodes to RGBA, top row first, without an engine', async () => {
    // Channels are blue, green, red; rows are padded to four bytes.
    const file = bmp(1, 2, Uint8Array.of(1, 2, 3, 0, 4, 5, 6, 0));
    const image = wasm.decodeBmp(file, limits);
    assert.deepEqual([image.width, image.height], [1, 2]);
    assert.deepEqual([...image.data], [6, 5, 4, 255, 3, 2, 1, 255]);
    await wasm.init();
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

  const formats: [string, Fields, number[]][] = [
    [
      '1 bit',
      { size: [3, 1], bits: 1, palette: PALETTE.slice(0, 2), pixels: [0b0100_0000, 0, 0, 0] },
      [BLACK, RED, BLACK],
    ],
    [
      '2 bits',
      { size: [3, 1], bits: 2, palette: PALETTE, pixels: [0b01_10_11_00, 0, 0, 0] },
      [RED, GREEN, BLUE],
    ],
    ['4 bits', { size: [3, 1], bits: 4, palette: PALETTE, pixels: [0x12, 0x30, 0, 0] }, [RED, GREEN, BLUE]],
    [
      'an index beyond the palette',
      { size: [2, 1], bits: 8, palette: PALETTE, pixels: [1, 9, 0, 0] },
      [RED, BLACK],
    ],
    ['16 bits', { size: [2, 1], bits: 16, pixels: [0x1f, 0, 0xe0, 0x03] }, [BLUE, GREEN]],
    ['32 bits, the last without a meaning', { size: [1, 1], bits: 32, pixels: [0xff, 0, 0, 9] }, [BLUE]],
    [
      'rows from top to bottom',
      { size: [1, -2], bits: 32, pixels: [0xff, 0, 0, 0, 0, 0xff, 0, 0] },
      [BLUE, GREEN],
    ],
    [
      'masks of 16 bits with alpha',
      {
        size: [2, 1],
        bits: 16,
        compression: HUFFMAN_OR_MASKS,
        masks: [0xf00, 0xf0, 0xf, 0xf000],
        pixels: [0x00, 0x8f, 0x0f, 0x00],
      },
      [0xff000088, 0x0000ff00],
    ],
    [
      'masks of 10 bits',
      {
        size: [1, 1],
        bits: 32,
        compression: HUFFMAN_OR_MASKS,
        masks: [0x3ff00000, 0xffc00, 0x3ff],
        pixels: [0xff, 3, 0, 0x20],
      },
      [0x8000ffff],
    ],
    [
      'runs, moves and single pixels of 8 bits',
      {
        size: [4, 2],
        bits: 8,
        compression: RLE8,
        palette: PALETTE,
        // Two red, one moved over, and one beyond the end of the row; then three by themselves, padded to an even number.
        pixels: [2, 1, 0, 2, 1, 0, 2, 3, 0, 0, 0, 3, 1, 2, 3, 0, 0, 1],
      },
      [RED, GREEN, BLUE, BLACK, RED, RED, BLACK, BLUE],
    ],
    [
      'runs of two colors in turns of 4 bits',
      { size: [4, 1], bits: 4, compression: RLE4, palette: PALETTE, pixels: [3, 0x12, 0, 1] },
      [RED, GREEN, RED, BLACK],
    ],
  ];
  for (const [name, fields, expected] of formats) {
    test(`decodes ${name}`, () => {
      assert.deepEqual(pixelsOf(wasm.decodeBmp(withFields(fields), limits)), expected);
    });
  }

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
    ['Huffman coding of OS/2', os2(64, HUFFMAN_OR_MASKS, 1), 'invalid_image'],
    ['runs of 24 bits of OS/2', os2(64, RLE24_OR_JPEG, 24), 'invalid_image'],
    ['an empty side', bmp(0, 2, new Uint8Array(30)), 'invalid_image'],
    [
      'masks with gaps',
      withFields({
        size: [1, 1],
        bits: 32,
        compression: HUFFMAN_OR_MASKS,
        masks: [5, 16, 32],
        pixels: [0, 0, 0, 0],
      }),
      'invalid_image',
    ],
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
      const before = process.memoryUsage().arrayBuffers;
      assert.throws(() => wasm.decodeBmp(file, limits), { name: 'TracesmithError', code });
      const allocated = process.memoryUsage().arrayBuffers - before;
      assert.ok(allocated < 1 << 20, 'memory was allocated before the size was checked');
    });
  }
});
