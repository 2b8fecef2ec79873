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

  const rejected: [string, Uint8Array, wasm.TracesmithErrorCode][] = [
    ['no bytes', new Uint8Array(), 'invalid_image'],
    ['another format', new TextEncoder().encode('not a bitmap at all'), 'invalid_image'],
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
