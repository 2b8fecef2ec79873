import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { runInNewContext } from 'node:vm';
import * as wasm from 'tracesmith-wasm';
import { images } from './images.ts';

const image = images.disc as wasm.ImageLike;
const { width, height, data } = image;
const traceUnchecked = wasm.traceSync as (image: unknown, options?: unknown) => string;

function detached(): Uint8Array {
  const bytes = new Uint8Array(data);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

function withFalseLength(): Uint8Array {
  return Object.defineProperties(new Uint8Array(4), {
    length: { value: data.length },
    byteLength: { value: data.length },
  });
}

describe('images', () => {
  before(() => wasm.init());

  const rejected: [string, unknown, wasm.TracesmithErrorCode][] = [
    ['undefined', undefined, 'invalid_image'],
    ['null', null, 'invalid_image'],
    ['no data', { width, height }, 'invalid_image'],
    ['data as floats', { width, height, data: new Float32Array(width * height * 4) }, 'invalid_image'],
    ['data as an array', { width, height, data: [...data] }, 'invalid_image'],
    ['an ArrayBuffer', { width, height, data: new ArrayBuffer(data.length) }, 'invalid_image'],
    ['width NaN', { width: Number.NaN, height, data }, 'invalid_dimensions'],
    ['width as a string', { width: '64', height, data }, 'invalid_dimensions'],
    ['width 0', { width: 0, height, data: new Uint8Array() }, 'invalid_dimensions'],
    ['height -1', { width, height: -1, data }, 'invalid_dimensions'],
    ['height 1.5', { width, height: 1.5, data }, 'invalid_dimensions'],
    ['height Infinity', { width, height: Number.POSITIVE_INFINITY, data }, 'invalid_dimensions'],
    ['width beyond 32 bits', { width: 2 ** 32 + 64, height, data }, 'invalid_dimensions'],
    ['a side too long', { width: 70_000, height: 1, data: new Uint8Array(280_000) }, 'invalid_dimensions'],
    ['too few bytes', { width, height, data: data.subarray(4) }, 'invalid_length'],
    ['too many bytes', { width, height: height - 1, data }, 'invalid_length'],
    ['a detached buffer', { width, height, data: detached() }, 'invalid_length'],
    ['a length property that is false', { width, height, data: withFalseLength() }, 'invalid_length'],
  ];
  for (const [name, bad, code] of rejected) {
    test(`${name} is rejected as ${code}`, () => {
      assert.throws(() => traceUnchecked(bad), { name: 'TracesmithError', code });
      assert.equal(typeof wasm.traceSync(image), 'string');
    });
  }

  const larger = new Uint8Array(data.length + 12);
  larger.set(data, 8);
  const accepted: [string, unknown][] = [
    ['a clamped array', new Uint8ClampedArray(data)],
    ['a view inside a larger buffer', larger.subarray(8, 8 + data.length)],
    ['a Buffer', Buffer.from(data)],
    ['an array of another realm', runInNewContext('Uint8Array.from(data)', { data: [...data] })],
  ];
  for (const [name, same] of accepted) {
    test(`${name} gives the same SVG`, () => {
      assert.equal(traceUnchecked({ width, height, data: same }), wasm.traceSync(image));
    });
  }
});

describe('options', () => {
  const problems: [unknown, string, RegExp][] = [
    [null, '', /^must be a plain object, not null$/],
    [[], '', /^must be a plain object, not an array$/],
    [new Map([['mode', 'none']]), '', /^must be a plain object, not an instance of Map$/],
    [new URLSearchParams('mode=none'), '', /not an instance of URLSearchParams$/],
    [new Date(0), '', /not an instance of Date$/],
    [runInNewContext('new Set()'), '', /not an instance of Set$/],
    [new (class extends Object {})(), '', /not an object that inherits from another one$/],
    [Object.create({ mode: 'none' }), '', /not an object that inherits from another one$/],
    [Object.create(Object.create(null)), '', /not an object that inherits from another one$/],
    [() => {}, '', /not a function$/],
    ['spline', '', /not the text "spline"$/],
    [
      { filterSpekle: 4 },
      '/filterSpekle',
      /^is not an option \(expected one of colorMode, filterSpeckle.*\)$/,
    ],
    [{ 'a/b~c': 1 }, '/a~1b~0c', /is not an option/],
    [JSON.parse('{"__proto__": {"mode": "none"}}'), '/__proto__', /is not an option/],
    [{ constructor: 1 }, '/constructor', /is not an option/],
    [{ filterSpeckle: '4' }, '/filterSpeckle', /^must be a number from 0 to 128, not the text "4"$/],
    [{ filterSpeckle: 129 }, '/filterSpeckle', /not 129$/],
    [{ filterSpeckle: Number.NaN }, '/filterSpeckle', /not NaN$/],
    [{ filterSpeckle: null }, '/filterSpeckle', /not null$/],
    [{ filterSpeckle: {} }, '/filterSpeckle', /not an object$/],
    [{ colorPrecision: 0 }, '/colorPrecision', /^must be a number from 1 to 8, not 0$/],
    [{ mode: 'curve' }, '/mode', /^must be one of "spline", "polygon", "none", not the text "curve"$/],
    [{ mode: true }, '/mode', /not true$/],
  ];
  for (const [options, pointer, detail] of problems) {
    test(`${JSON.stringify(options)} is rejected`, async () => {
      await wasm.init();
      const [problem, ...more] = wasm.validateOptions(options);
      assert.ok(problem !== undefined);
      assert.equal(more.length, 0);
      assert.equal(problem.pointer, pointer);
      assert.match(problem.detail, detail);
      assert.throws(() => traceUnchecked(image, options), { code: 'invalid_option', errors: [problem] });
    });
  }

  test('an object of another realm, and one without a prototype, are accepted', () => {
    for (const same of [
      runInNewContext('({ mode: "none" })'),
      Object.assign(Object.create(null), { mode: 'none' }),
    ])
      assert.deepEqual(wasm.validateOptions(same), []);
  });

  test('every problem is reported', () => {
    const pointers = wasm.validateOptions({ mode: 1, colorMode: 'x', y: 0 }).map(({ pointer }) => pointer);
    assert.deepEqual(pointers, ['/mode', '/colorMode', '/y']);
  });

  test('defaults, both ends of each range, undefined and no options are accepted', () => {
    for (const spec of wasm.optionTable) {
      const values: readonly unknown[] =
        spec.type === 'number'
          ? [spec.min, spec.max, spec.default]
          : spec.type === 'flag'
            ? [true, false]
            : spec.choices;
      for (const value of [...values, undefined]) {
        assert.deepEqual(wasm.validateOptions({ [spec.name]: value }), []);
      }
    }
    assert.deepEqual(wasm.validateOptions(undefined), []);
  });

  test('the committed option types match the engine’s table', async () => {
    await wasm.init();
    assert.deepEqual(
      wasm.engineOptionTable(),
      wasm.optionTable,
      'npm run build regenerates bindings/surface/shared/options.ts',
    );
  });
});
