import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import * as wasm from 'tracesmith-wasm';
import { estimateMemory } from '../../host/tracing/memory-estimate.ts';

const FILES = ['logo.png', 'badge.webp', 'landscape.jpg'];
const WIDTHS = [64, 320, 1280];
/** The decoded pixels outside the engine's memory. */
const DECODED_BYTES_PER_PIXEL = 4;

describe('the memory estimate covers ordinary images', () => {
  for (const name of FILES) {
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
        const pixels = info.width * info.height;
        const { expectedBytes: bytes } = estimateMemory(info, {});
        const used = wasm.memoryBytes() + pixels * DECODED_BYTES_PER_PIXEL;
        assert.ok(
          used <= bytes,
          `${used} bytes used, ${bytes} estimated: ${(used - bytes) / pixels} too few per pixel`,
        );
      });
    }
  }
});
