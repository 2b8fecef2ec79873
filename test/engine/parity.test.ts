import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { images, optionSets } from './images.ts';
import { skipWithoutAddon } from './native.ts';

describe('WebAssembly and native give the same bytes', { skip: skipWithoutAddon }, () => {
  before(() => wasm.init());

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
