// All functions that trace, of both packages, refuse the same arguments with the same error.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
import { root } from '../../scripts/lib/command.ts';
import { images } from './images.ts';
import { skipWithoutAddon } from './native.ts';

type Trace = (image: unknown, options?: unknown, watch?: unknown) => unknown;

const image = images.disc as wasm.ImageLike;
const tracer = new Tracer();
const functions: Record<string, { trace: Trace; skip: string | false }> = {
  'wasm.traceSync': { trace: wasm.traceSync as Trace, skip: false },
  'wasm.trace': { trace: wasm.trace as Trace, skip: false },
  'Tracer.trace': { trace: tracer.trace.bind(tracer) as Trace, skip: false },
  'native.traceSync': { trace: native.traceSync as Trace, skip: skipWithoutAddon },
  'native.trace': { trace: native.trace as Trace, skip: skipWithoutAddon },
};

const usable = Object.values(functions).filter(({ skip }) => skip === false);

before(() => wasm.init());
after(() => tracer.close());

interface Refusal {
  name: string;
  args: [image: unknown, options?: unknown, watch?: unknown];
  code: wasm.TracesmithErrorCode;
  message: string;
}

const options = (value: unknown, received: string): Refusal => ({
  name: `options: ${received}`,
  args: [image, value],
  code: 'invalid_option',
  message: `options must be a plain object, not ${received}`,
});

const side = (name: 'width' | 'height', value: unknown, received: string): Refusal => ({
  name: `${name}: ${received}`,
  args: [{ ...image, [name]: value }],
  code: 'invalid_dimensions',
  message: `image.${name} must be a whole number from 1 to 65535, not ${received}`,
});

const pixels = (value: unknown, received: string): Refusal => ({
  name: `data: ${received}`,
  args: [{ ...image, data: value }],
  code: 'invalid_image',
  message: `image.data must be a Uint8Array or a Uint8ClampedArray, not ${received}`,
});

const noImage = (value: unknown, received: string): Refusal => ({
  name: `image: ${received}`,
  args: [value],
  code: 'invalid_image',
  message: `image must be an object { width, height, data }, not ${received}`,
});

const watch = (value: unknown, message: string): Refusal => ({
  name: message,
  args: [image, {}, value],
  code: 'invalid_watch',
  message,
});

const refusals: Refusal[] = [
  options([], 'an array'),
  options(new Map([['mode', 'none']]), 'an instance of Map'),
  options(new URLSearchParams('mode=none'), 'an instance of URLSearchParams'),
  options(new Date(0), 'an instance of Date'),
  options(Object.create({ mode: 'none' }), 'an object that inherits from another one'),
  side('width', 0, '0'),
  side('height', 1.5, '1.5'),
  side('width', 65_536, '65536'),
  side('height', 2 ** 32 - 1, '4294967295'),
  side('width', 2 ** 32, '4294967296'),
  side('width', '2', 'the text "2"'),
  side('height', undefined, 'undefined'),
  pixels('abc', 'the text "abc"'),
  pixels([...image.data], 'an array'),
  pixels(new Float32Array(4), 'an instance of Float32Array'),
  pixels(new ArrayBuffer(4), 'an instance of ArrayBuffer'),
  pixels(undefined, 'undefined'),
  noImage(null, 'null'),
  noImage('logo.png', 'the text "logo.png"'),
  watch(null, 'watch must be an object { onProgress, signal }, not null'),
  watch(() => true, 'watch must be an object { onProgress, signal }, not a function'),
  watch({ onProgress: 1 }, 'watch.onProgress must be a function, not 1'),
  watch({ onProgress: {} }, 'watch.onProgress must be a function, not an object'),
  watch({ signal: 1 }, 'watch.signal must be an AbortSignal, not 1'),
  watch(
    { signal: new AbortController() },
    'watch.signal must be an AbortSignal, not an instance of AbortController',
  ),
];

for (const { name, args, code, message } of refusals) {
  describe(name, () => {
    for (const [caller, { trace, skip }] of Object.entries(functions)) {
      test(caller, { skip }, async () => {
        await assert.rejects(async () => trace(...args), { name: 'TracesmithError', code, message });
      });
    }
  });
}

test('the longest side is the engine’s', async () => {
  const source = readFileSync(join(root, 'engine', 'src', 'api', 'error.rs'), 'utf8');
  assert.match(source, /const MAX_SIDE_PX: u32 = 65_535;/);
  for (const [width, height] of [
    [65_535, 1],
    [1, 65_535],
  ])
    for (const { trace } of usable)
      assert.match(`${await trace({ width, height, data: new Uint8Array(65_535 * 4) })}`, /^<svg /);
});

test('options may have no prototype', async () => {
  const bare = Object.assign(Object.create(null), { mode: 'none' });
  for (const { trace } of usable)
    assert.equal(await trace(image, bare), wasm.traceSync(image, { mode: 'none' }));
});

test('onProgress and signal may be null', async () => {
  for (const { trace } of usable)
    assert.equal(await trace(image, {}, { onProgress: null, signal: null }), wasm.traceSync(image));
});

test('a BMP that is not bytes is refused with what came instead', () => {
  assert.throws(() => wasm.decodeBmp('BM' as unknown as Uint8Array, { maxPixels: 1, maxSide: 1 }), {
    code: 'invalid_image',
    message: 'a BMP must be a Uint8Array, not the text "BM"',
  });
});
