import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as wasm from 'tracesmith-wasm';
import { images, noiseImage, optionSets } from './images.ts';

const CALLS = 2000;

const tooTall = { width: 1, height: 70_000, data: new Uint8Array(280_000) };

test(`memory does not grow over ${CALLS} calls`, async () => {
  await wasm.init({ gradients: true });
  const all = Object.values(images);
  const round = (calls: number) => {
    for (let call = 0; call < calls; call++) {
      const image = all[call % all.length] as wasm.ImageLike;
      wasm.traceSync(image, optionSets[(call >> 3) % optionSets.length]);
      // Failed calls return early and must not leak either.
      if (call % 10 === 0) assert.throws(() => wasm.traceSync(tooTall), { code: 'invalid_dimensions' });
    }
  };
  round(all.length * optionSets.length * 8);
  const before = wasm.memoryBytes();
  round(CALLS);
  const after = wasm.memoryBytes();
  // The allocator may still add a few 64 KiB pages; a leak of one small image per call would be megabytes.
  assert.ok(after - before <= 4 * 65_536, `the memory grew from ${before} to ${after} bytes`);
});

test('noise takes less than 48 bytes per pixel', async () => {
  const side = 1024;
  await wasm.init({ gradients: true });
  wasm.recycle();
  wasm.traceSync(noiseImage(side, side));
  const bytes = wasm.memoryBytes();
  assert.ok(bytes < 48 * side * side, `${bytes / side / side} bytes per pixel`);
});

test('a new instance after recycle gives the same SVG', async () => {
  await wasm.init({ gradients: true });
  const image = images.disc as wasm.ImageLike;
  const expected = wasm.traceSync(image);
  wasm.traceSync(noiseImage(512, 512));
  const grownBytes = wasm.memoryBytes();
  wasm.recycle();
  assert.ok(wasm.memoryBytes() < grownBytes / 2, `${wasm.memoryBytes()} of ${grownBytes} bytes`);
  assert.equal(wasm.traceSync(image), expected);
});
