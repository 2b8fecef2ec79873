import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { optionSets, pictures } from './pictures.ts';

const skip = process.env.TRACESMITH_NATIVE === '' ? 'the native engine was not built' : false;

describe('WebAssembly and native give the same bytes', { skip }, () => {
  before(() => wasm.init());

  test('they are two', () => {
    assert.equal(native.engine, 'native', native.nativeProblem?.message);
  });

  for (const [name, image] of Object.entries(pictures)) {
    for (const options of optionSets) {
      test(`${name} ${JSON.stringify(options)}`, async () => {
        const expected = wasm.traceSync(image, options);
        assert.ok(expected.startsWith('<svg ') && expected.endsWith('</svg>'), expected.slice(0, 80));
        assert.equal(native.traceSync(image, options), expected);
        assert.equal(await native.trace(image, options), expected);
      });
    }
  }

  test('calls at the same time do not disturb each other', async () => {
    const images = Object.values(pictures);
    const expected = images.map((image) => wasm.traceSync(image));
    assert.deepEqual(await Promise.all(images.map((image) => native.trace(image))), expected);
  });
});
