// Which engine is loaded, in whatever order callers ask for one with and without gradients.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { shaded } from './images.ts';

/** Evaluates steps one after the other with a package that no one has loaded, and prints what came of each. */
const PROGRAM = `
import { readFileSync, renameSync } from 'node:fs';
const [address, width, height, pixels, ...steps] = process.argv.slice(1);
const { init, initSync, trace, traceSync, recycle, version, engineOptionTable } = await import(address);
const shaded = { width: Number(width), height: Number(height), data: Buffer.from(pixels, 'base64') };
const [SMALL, LARGE] = ['engine_bg.wasm', 'engine_gradients_bg.wasm'].map((name) => new URL(name, address));
const on = { gradients: true };
const hide = (file) => renameSync(file, new URL(file.href + '.hidden'));
const show = (file) => renameSync(new URL(file.href + '.hidden'), file);
const bytes = (file) => readFileSync(file);
const settled = async (...all) => (await Promise.allSettled(all)).map(({ reason }) => reason?.code ?? 'loaded').join();
for (const step of steps) {
  try {
    const result = String(await eval(step));
    console.log(result.startsWith('<svg') ? (result.includes('Gradient') ? 'gradients' : 'bands') : result);
  } catch ({ code, message }) {
    console.log(code + ': ' + message);
  }
}`;

const NOT_LOADED = /^not_initialized: .*await init\(\{ gradients: true \}\) first$/;
const MISSING = /^engine_unavailable: .*engine_gradients_bg\.wasm/;
const NOT_KNOWN =
  /^invalid_option: option gradients needs .*engine_gradients_bg\.wasm: .*init\(\{ source, gradients: true \}\)/;

/** Steps, each with what is to come of it. */
type Order = readonly (readonly [step: string, expected: string | RegExp])[];

const ORDERS: Record<string, Order> = {
  'trace loads what it needs': [
    ['trace(shaded)', 'bands'],
    ['trace(shaded, on)', 'gradients'],
    ['trace(shaded)', 'bands'],
  ],
  'traceSync says what is to be loaded first': [
    ['traceSync(shaded, on)', NOT_LOADED],
    ['init()', 'undefined'],
    ['traceSync(shaded, on)', NOT_LOADED],
    ["traceSync(shaded, { ...on, mode: 'none' })", NOT_LOADED],
    ['traceSync(shaded)', 'bands'],
    ['init(on)', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
    ['traceSync(shaded)', 'bands'],
  ],
  'the engine with gradients stays': [
    ['init(on)', 'undefined'],
    ['init()', 'undefined'],
    ['init(SMALL)', 'undefined'],
    ['initSync(bytes(SMALL))', 'undefined'],
    ['recycle()', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'a new instance is of the engine that was loaded last': [
    ['init()', 'undefined'],
    ['traceSync(shaded)', 'bands'],
    ['init(on)', 'undefined'],
    ['recycle()', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
    ['version()', /^\d+\.\d+\.\d+$/],
    ['engineOptionTable().at(-1).name', 'gradients'],
  ],
  'both know the option': [
    ['init()', 'undefined'],
    ['engineOptionTable().at(-1).name', 'gradients'],
  ],
  'without gradients first, at the same time': [
    ['settled(init(), init(on), init())', 'loaded,loaded,loaded'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'with gradients first, at the same time': [
    ['settled(init(on), init())', 'loaded,loaded'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'a file that is missing is looked for again': [
    ['hide(LARGE)', 'undefined'],
    ['trace(shaded, on)', MISSING],
    ['init(on)', MISSING],
    ['trace(shaded)', 'bands'],
    ['init(on)', MISSING],
    ['traceSync(shaded)', 'bands'],
    ['show(LARGE)', 'undefined'],
    ['trace(shaded, on)', 'gradients'],
  ],
  'the other engine does not need it': [
    ['hide(LARGE)', 'undefined'],
    ['settled(init(on), init())', 'engine_unavailable,loaded'],
    ['traceSync(shaded)', 'bands'],
    ['traceSync(shaded, on)', NOT_LOADED],
  ],
  'the engine with gradients needs no other': [
    ['hide(SMALL)', 'undefined'],
    ['init()', /^engine_unavailable: .*engine_bg\.wasm/],
    ['trace(shaded, on)', 'gradients'],
    ['trace(shaded)', 'bands'],
  ],
  'a source without gradients is not replaced': [
    ['init(SMALL)', 'undefined'],
    ['init(on)', 'undefined'],
    ['trace(shaded, on)', NOT_KNOWN],
    ["trace(shaded, { ...on, colorMode: 'binary' })", NOT_KNOWN],
    ['traceSync(shaded)', 'bands'],
  ],
  'a source with gradients needs no flag': [
    ['init(LARGE)', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'a source with gradients replaces one without': [
    ['init(SMALL)', 'undefined'],
    ['init({ source: LARGE, ...on })', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'and the package’s own': [
    ['init()', 'undefined'],
    ['init({ source: bytes(LARGE), ...on, warm: true })', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'so do bytes, at once': [
    ['initSync(bytes(SMALL))', 'undefined'],
    ['traceSync(shaded, on)', NOT_KNOWN],
    ['initSync(bytes(LARGE), on)', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
    ['initSync(bytes(SMALL), on)', 'undefined'],
    ['traceSync(shaded, on)', 'gradients'],
  ],
  'not from onProgress': [
    ['init()', 'undefined'],
    ['traceSync(shaded, {}, { onProgress: () => initSync(bytes(LARGE), on) })', /^busy: /],
    ['traceSync(shaded, on)', NOT_LOADED],
  ],
};

describe('the engine that is loaded', { concurrency: true }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  const source = new URL('.', process.env.TRACESMITH_WASM || import.meta.resolve('tracesmith-wasm'));
  after(() => rmSync(folder, { recursive: true }));

  for (const [name, order] of Object.entries(ORDERS)) {
    test(name, async () => {
      const copy = join(folder, name);
      cpSync(fileURLToPath(source), copy, { recursive: true });
      const pixels = Buffer.from(shaded.data).toString('base64');
      const image = [String(shaded.width), String(shaded.height), pixels];
      const args = [pathToFileURL(join(copy, 'index.js')).href, ...image, ...order.map(([step]) => step)];
      const flags = ['--input-type=module', '--eval', PROGRAM, '--'];
      const { stdout } = await promisify(execFile)(process.execPath, [...flags, ...args], {
        timeout: 60_000,
      });
      const results = stdout.trimEnd().split('\n');
      assert.equal(results.length, order.length, stdout);
      for (const [index, [step, expected]] of order.entries()) {
        const result = results[index] ?? '';
        if (typeof expected === 'string') assert.equal(result, expected, step);
        else assert.match(result, expected, step);
      }
    });
  }
});
