import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
import { optionSets, pictures, scene } from './pictures.ts';

const picture = scene(200, 160);
/** Long enough for a stop to come in its midst. */
const large = scene(900, 700);
const disc = pictures.disc as wasm.ImageLike;

let expected: string;
before(async () => {
  await wasm.init();
  expected = wasm.traceSync(disc);
});

/** Traces something long and aborts it when it has begun. */
async function abortRunning(tracer: Tracer): Promise<void> {
  const control = new AbortController();
  const onProgress = ({ fraction }: wasm.Progress) => {
    if (fraction > 0.05) control.abort('enough');
  };
  const trace = tracer.trace(large, {}, { signal: control.signal, onProgress });
  await assert.rejects(trace, (thrown) => thrown === 'enough');
}

describe('a tracer', () => {
  const tracer = new Tracer();
  after(() => tracer.close());

  test('gives the same bytes', async () => {
    for (const image of Object.values(pictures))
      for (const options of optionSets)
        assert.equal(await tracer.trace(image, options), wasm.traceSync(image, options));
  });

  test('takes pictures one after the other, and answers to each', async () => {
    const images = Object.values(pictures);
    const drawings = await Promise.all(images.map((image) => tracer.trace(image)));
    assert.deepEqual(
      drawings,
      images.map((image) => wasm.traceSync(image)),
    );
  });

  test('copies the pixels at once', async () => {
    const data = disc.data.slice();
    const trace = tracer.trace({ ...disc, data });
    data.fill(0);
    assert.equal(await trace, expected);
  });

  test('tells how far it has come', async () => {
    const told: number[] = [];
    const watch = { onProgress: ({ fraction }: wasm.Progress) => told.push(fraction) };
    assert.equal(await tracer.trace(picture, {}, watch), wasm.traceSync(picture));
    assert.ok(told.length > 3);
    assert.deepEqual(
      told,
      told.toSorted((a, b) => a - b),
    );
  });

  test('refuses what cannot be traced with the errors of the package', async () => {
    const tooTall = { width: 1, height: 70_000, data: new Uint8Array(280_000) };
    const wrong = { mode: 'splines' } as unknown as wasm.Options;
    await assert.rejects(tracer.trace(tooTall), { name: 'TracesmithError', code: 'invalid_dimensions' });
    await assert.rejects(tracer.trace(disc, wrong), (error) => {
      assert.ok(error instanceof wasm.TracesmithError && error.code === 'invalid_option');
      assert.equal(error.errors[0]?.pointer, '/mode');
      return true;
    });
    assert.equal(await tracer.trace(disc), expected);
  });

  test('stops what it is at, and traces the next', async () => {
    await abortRunning(tracer);
    assert.equal(await tracer.trace(disc), expected);
  });

  test('stops when onProgress returns false, or throws', async () => {
    await assert.rejects(tracer.trace(large, {}, { onProgress: () => false }), { code: 'cancelled' });
    const onProgress = () => {
      throw new RangeError('enough');
    };
    await assert.rejects(tracer.trace(large, {}, { onProgress }), { name: 'RangeError' });
    assert.equal(await tracer.trace(disc), expected);
  });

  test('never begins what was aborted while it waited', async () => {
    const control = new AbortController();
    const first = tracer.trace(picture);
    const onProgress = () => assert.fail('it began');
    const second = tracer.trace(large, {}, { signal: control.signal, onProgress });
    const third = tracer.trace(disc);
    control.abort();
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(await first, wasm.traceSync(picture));
    assert.equal(await third, expected);
  });

  test('does not begin with a signal that is aborted already', async () => {
    await assert.rejects(tracer.trace(disc, {}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  test('1,000 stopped traces leave it as it was', async () => {
    for (let call = 0; call < 1000; call++) {
      const control = new AbortController();
      const trace = tracer.trace(disc, {}, { signal: control.signal });
      // Some are waiting then, some are under way, some have just ended.
      if (call % 3 > 0) await new Promise(setImmediate);
      control.abort();
      await trace.catch((error) => assert.equal(error.name, 'AbortError'));
    }
    assert.equal(await tracer.trace(disc), expected);
  });
});

describe('where threads cannot share memory', () => {
  const tracer = new Tracer();
  const scope = globalThis as { crossOriginIsolated?: boolean };
  before(() => {
    scope.crossOriginIsolated = false;
  });
  after(() => {
    delete scope.crossOriginIsolated;
    tracer.close();
  });

  test('a stopped trace ends with its worker, and the next has a new one', async () => {
    await abortRunning(tracer);
    assert.equal(await tracer.trace(disc), expected);
  });

  test('who waits behind it, or is at work before it, loses nothing', async () => {
    const control = new AbortController();
    const first = tracer.trace(picture);
    const second = tracer.trace(large, {}, { signal: control.signal });
    const third = tracer.trace(disc);
    control.abort();
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(await first, wasm.traceSync(picture));
    assert.equal(await third, expected);
  });
});

describe('a tracer’s worker', () => {
  test('that was closed takes nothing more', async () => {
    const tracer = new Tracer();
    const [first, second] = [tracer.trace(large), tracer.trace(disc)];
    const ends = Promise.allSettled([first, second]);
    await new Promise(setImmediate);
    tracer.close();
    for (const end of await ends) assert.equal(end.status === 'rejected' && end.reason.code, 'closed');
    await assert.rejects(tracer.trace(disc), { name: 'TracesmithError', code: 'closed' });
  });

  test('says when it finds no engine, and looks for it again', async () => {
    const tracer = new Tracer({ engine: new URL('nowhere.wasm', import.meta.url) });
    await assert.rejects(tracer.trace(disc), { code: 'engine_unavailable' });
    await assert.rejects(tracer.trace(disc), { code: 'engine_unavailable' });
  });

  test('takes a compiled module', async () => {
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(new URL(import.meta.resolve('tracesmith-wasm/engine_bg.wasm')));
    const tracer = new Tracer({ engine: await WebAssembly.compile(bytes) });
    assert.equal(await tracer.trace(disc), expected);
    tracer.close();
  });

  test('keeps no process alive', () => {
    const code = `import { Tracer } from 'tracesmith-wasm/tracer';
      const data = new Uint8Array(4);
      console.log(await new Tracer().trace({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) }));`;
    const cwd = fileURLToPath(new URL('.', import.meta.url));
    const args = ['--input-type=module', '--eval', code];
    const { stdout, stderr, signal } = spawnSync(process.execPath, args, {
      cwd,
      encoding: 'utf8',
      timeout: 60_000,
    });
    assert.equal(signal, null, 'it did not end');
    assert.match(stdout, /^<svg /, stderr);
  });
});
