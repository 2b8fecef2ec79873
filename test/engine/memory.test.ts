import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as wasm from 'tracesmith-wasm';
import { grains, optionSets, pictures } from './pictures.ts';

const CALLS = 2000;

const tooTall = { width: 1, height: 70_000, data: new Uint8Array(280_000) };

test(`memory does not grow over ${CALLS} calls`, async () => {
  await wasm.init();
  const images = Object.values(pictures);
  const round = (calls: number) => {
    for (let call = 0; call < calls; call++) {
      const image = images[call % images.length] as wasm.ImageLike;
      wasm.traceSync(image, optionSets[(call >> 3) % optionSets.length]);
      // Failures leave early, and must leave nothing behind either.
      if (call % 10 === 0) assert.throws(() => wasm.traceSync(tooTall), { code: 'invalid_dimensions' });
    }
  };
  round(images.length * optionSets.length * 8);
  const before = wasm.memoryBytes();
  round(CALLS);
  const after = wasm.memoryBytes();
  // The allocator may still settle by a few 64 KiB pages; a leak of one small picture a call would be megabytes.
  assert.ok(after - before <= 4 * 65_536, `${before} bytes became ${after}`);
});

test('noise takes less than 48 bytes a pixel', async () => {
  const side = 1024;
  await wasm.init();
  wasm.recycle();
  wasm.traceSync(grains(side, side));
  const bytes = wasm.memoryBytes();
  assert.ok(bytes < 48 * side * side, `${bytes / side / side} bytes a pixel`);
});

test('an engine that was dropped comes back with the same answers', async () => {
  await wasm.init();
  const image = pictures.disc as wasm.ImageLike;
  const expected = wasm.traceSync(image);
  wasm.recycle();
  assert.equal(wasm.memoryBytes(), 0);
  assert.equal(wasm.traceSync(image), expected);
});
