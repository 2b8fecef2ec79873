import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import * as wasm from 'tracesmith-wasm';
import { engineBytes, estimateMemory } from '../../host/tracing/memory-estimate.ts';
import { planMemory } from '../../host/tracing/memory-plan.ts';
import { KINDS } from '../../scripts/bench/core/kinds.ts';
import { noiseImage } from './images.ts';

const FILES = ['logo.png', 'badge.webp', 'landscape.jpg'];
const WIDTHS = [64, 320, 1280];
const PAGE_SIDES = [320, 1280];
/** What each thread may use for any image, by the default settings and two workers. */
const { keptBytes } = planMemory(2 * 1024 ** 3, 3);

/** Asserts that a service does not stop the trace of an image for memory: with its first grant, or with the largest for its options. */
function assertFits(
  image: wasm.ImageLike,
  options: wasm.Options,
  which: 'expectedBytes' | 'worstBytes',
): void {
  wasm.recycle();
  wasm.traceSync(image, options);
  const pixels = image.width * image.height;
  const granted = Math.max(keptBytes, estimateMemory(image, options)[which]);
  const missing = wasm.memoryBytes() - engineBytes(granted, pixels);
  assert.ok(missing <= 0, `${missing} bytes are missing, ${missing / pixels} per pixel`);
}

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
        assertFits({ width: info.width, height: info.height, data }, {}, 'expectedBytes');
      });
    }
  }

  for (const side of PAGE_SIDES) {
    test(`a page of small print, ${side} px wide`, async () => {
      await wasm.init();
      const page = KINDS.find(({ name }) => name === 'text') ?? assert.fail();
      assertFits({ width: side, height: side, data: await page.draw(side) }, {}, 'expectedBytes');
    });
  }
});

describe('the largest estimate covers noise, of which every pixel is a shape', () => {
  const finest = { layerDifference: 0, colorPrecision: 8, lengthThreshold: 0 };
  for (const options of [
    { ...finest, filterSpeckle: 0 },
    { ...finest, filterSpeckle: 2 },
    { colorMode: 'binary', filterSpeckle: 0, lengthThreshold: 0 },
  ] as const) {
    test(JSON.stringify(options), async () => {
      await wasm.init();
      assertFits(noiseImage(512, 512), options, 'worstBytes');
    });
  }
});
