// All functions that trace, of both packages, refuse the same arguments with the same error.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
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

const refusals: Refusal[] = [
  options([], 'an array'),
  options(new Map([['mode', 'none']]), 'an instance of Map'),
  options(new URLSearchParams('mode=none'), 'an instance of URLSearchParams'),
  options(new Date(0), 'an instance of Date'),
  options(Object.create({ mode: 'none' }), 'an object that inherits from another one'),
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

test('options may have no prototype', { skip: skipWithoutAddon }, async () => {
  const bare = Object.assign(Object.create(null), { mode: 'none' });
  for (const { trace } of Object.values(functions))
    assert.equal(await trace(image, bare), wasm.traceSync(image, { mode: 'none' }));
});
