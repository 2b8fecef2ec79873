import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import sharp from 'sharp';
import { DecodeError, decodeRaster } from '../../host/image/decode.mjs';
import { reduceFile } from '../../host/image/reduce-file.mjs';
import { chunk, idat, iend, ihdr, png, rows } from '../attacks/support/png.ts';
import { picture } from './service.ts';

const WIDTH_PX = 40;
const HEIGHT_PX = 30;
const PAGES = 4;

/** An animation of noise whose first frame is translucent or not. */
function animation(options: { lossless: boolean; minAlpha: number; orientation: number }): Promise<Buffer> {
  const data = Buffer.alloc(WIDTH_PX * HEIGHT_PX * PAGES * 4);
  const alpha = (i: number) => Math.max(options.minAlpha, i & 255);
  for (let i = 0; i < data.length; i++) data[i] = i % 4 === 3 ? alpha(i >> 2) : (i * 7 + (i >> 8)) & 255;
  const raw = { width: WIDTH_PX, height: HEIGHT_PX * PAGES, channels: 4, pageHeight: HEIGHT_PX } as const;
  return sharp(data, { raw })
    .withMetadata({ orientation: options.orientation })
    .withIccProfile('p3')
    .webp({ lossless: options.lossless, delay: Array(PAGES).fill(100) })
    .toBuffer();
}

/** Pixels as sharp gives them for the whole file. */
const pixelsOf = (file: Uint8Array) =>
  sharp(file).autoOrient().toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' }).toBuffer();

describe('a reduced file has the same pixels', () => {
  for (const lossless of [true, false])
    for (const minAlpha of [0, 255])
      for (const orientation of [1, 6])
        test(`animated WebP: ${JSON.stringify({ lossless, minAlpha, orientation })}`, async () => {
          const file = await animation({ lossless, minAlpha, orientation });
          const reduced = reduceFile(file);
          assert.deepEqual([await pagesOf(file), await pagesOf(reduced)], [PAGES, 1]);
          assert.ok(reduced.length < file.length);
          assert.deepEqual(await pixelsOf(reduced), await pixelsOf(file));
        });

  const pagesOf = async (file: Uint8Array) => (await sharp(file).metadata()).pages;

  test('PNG with compressed text', async () => {
    const size = { width: 20, height: 10 };
    const [start, end] = [ihdr(size), Buffer.concat([idat(rows(size)), iend])];
    const texts = ['zTXt', 'iTXt'].map((name) => chunk(name, 'a text'));
    const file = png(start, ...texts, chunk('tEXt', 'a\0b'), end);
    assert.deepEqual(reduceFile(file), png(start, chunk('tEXt', 'a\0b'), end));
    assert.deepEqual(await pixelsOf(reduceFile(file)), await pixelsOf(png(start, end)));
  });

  test('all others are the same file', () => {
    for (const name of ['logo.png', 'landscape.jpg', 'badge.webp', 'letters.gif'])
      assert.deepEqual(reduceFile(picture(name)), picture(name), name);
  });
});

test('a truncated animation is not valid, wherever it ends', async () => {
  const file = await animation({ lossless: false, minAlpha: 0, orientation: 1 });
  for (let end = 30; end < file.length; end += 31) {
    const limits = { maxPixels: 1e6, processingTimeoutMs: 60_000 };
    await assert.rejects(decodeRaster(file.subarray(0, end), limits), DecodeError, `cut at ${end}`);
  }
});
