import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import * as wasm from 'tracesmith-wasm';
import { estimateMemory } from '../../host/tracing/memory-estimate.ts';

const PICTURES = ['logo.png', 'badge.webp', 'landscape.jpg'];
const WIDTHS = [64, 320, 1280];
/** The decoded pixels: the decoder's buffer and the engine's copy. */
const PIXELS_OUTSIDE = 2 * 4;

describe('the memory estimate is enough for ordinary images', () => {
  for (const name of PICTURES) {
    for (const width of WIDTHS) {
      test(`${name}, ${width} px wide`, async () => {
        await wasm.init();
        const path = fileURLToPath(new URL(`../pictures/${name}`, import.meta.url));
        const { data, info } = await sharp(path)
          .resize(width)
          .ensureAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        wasm.recycle();
        wasm.traceSync({ width: info.width, height: info.height, data });
        const { pixels, bytes } = estimateMemory(info);
        const used = wasm.memoryBytes() + pixels * PIXELS_OUTSIDE;
        assert.ok(used <= bytes, `${used} bytes of ${bytes}: ${(used - bytes) / pixels} too many a pixel`);
      });
    }
  }
});
