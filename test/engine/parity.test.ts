import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
import { root } from '../../scripts/lib/command.ts';
import { images, optionSets } from './images.ts';
import { skipWithoutAddon } from './native.ts';

const PICTURES = join(root, 'test', 'pictures');

describe('WebAssembly and native give the same bytes', { skip: skipWithoutAddon }, () => {
  before(() => wasm.init({ gradients: true }));

  test('the native package uses the addon', () => {
    assert.equal(native.engine, 'native', native.nativeProblem?.message);
  });

  for (const [name, image] of Object.entries(images)) {
    for (const options of optionSets) {
      test(`${name} ${JSON.stringify(options)}`, async () => {
        const expected = wasm.traceSync(image, options);
        assert.ok(expected.startsWith('<svg ') && expected.endsWith('</svg>'), expected.slice(0, 80));
        assert.equal(native.traceSync(image, options), expected);
        assert.equal(await native.trace(image, options), expected);
      });
    }
  }

  test('concurrent calls give the same bytes', async () => {
    const all = Object.values(images);
    const expected = all.map((image) => wasm.traceSync(image));
    assert.deepEqual(await Promise.all(all.map((image) => native.trace(image))), expected);
  });
});

describe('the engine without gradients gives the same bytes as the one with them', () => {
  const small = new Tracer();
  before(() => wasm.init({ gradients: true }));
  after(() => small.close());

  const compare = async (image: wasm.ImageLike) => {
    for (const options of optionSets.filter((set) => set.gradients !== true))
      assert.equal(
        await small.trace(image, options),
        wasm.traceSync(image, options),
        JSON.stringify(options),
      );
  };

  for (const [name, image] of Object.entries(images)) test(name, () => compare(image));

  for (const name of ['badge.webp', 'landscape.jpg', 'letters.gif', 'logo.png']) {
    test(name, async () => {
      const decoded = sharp(join(PICTURES, name)).toColorspace('srgb').ensureAlpha().raw();
      const { data, info } = await decoded.toBuffer({ resolveWithObject: true });
      await compare({ width: info.width, height: info.height, data });
    });
  }
});
