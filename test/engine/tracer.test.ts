import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as wasm from 'tracesmith-wasm';
import { Tracer } from 'tracesmith-wasm/tracer';
import { images, optionSets, scene, shaded } from './images.ts';

const medium = scene(200, 160);
/** Takes long enough to be stopped halfway. */
const large = scene(900, 700);
const disc = images.disc as wasm.ImageLike;

let expected: string;
before(async () => {
  await wasm.init({ gradients: true });
  expected = wasm.traceSync(disc);
});

/** Starts a long trace and aborts it while it runs. */
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
    for (const image of Object.values(images))
      for (const options of optionSets)
        assert.equal(await tracer.trace(image, options), wasm.traceSync(image, options));
  });

  test('traces queued images one after the other', async () => {
    const all = Object.values(images);
    const svgs = await Promise.all(all.map((image) => tracer.trace(image)));
    assert.deepEqual(
      svgs,
      all.map((image) => wasm.traceSync(image)),
    );
  });

  test('copies the pixels immediately', async () => {
    const data = disc.data.slice();
    const trace = tracer.trace({ ...disc, data });
    data.fill(0);
    assert.equal(await trace, expected);
  });

  test('reports progress', async () => {
    const fractions: number[] = [];
    const watch = { onProgress: ({ fraction }: wasm.Progress) => fractions.push(fraction) };
    assert.equal(await tracer.trace(medium, {}, watch), wasm.traceSync(medium));
    assert.ok(fractions.length > 3);
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
  });

  test('rejects invalid images and options with the package’s errors', async () => {
    const tooTall = { width: 1, height: 70_000, data: new Uint8Array(280_000) };
    const invalid = { mode: 'splines' } as unknown as wasm.Options;
    await assert.rejects(tracer.trace(tooTall), { name: 'TracesmithError', code: 'invalid_dimensions' });
    await assert.rejects(tracer.trace(disc, invalid), (error) => {
      assert.ok(error instanceof wasm.TracesmithError && error.code === 'invalid_option');
      assert.equal(error.errors[0]?.pointer, '/mode');
      return true;
    });
    assert.equal(await tracer.trace(disc), expected);
  });

  test('stops a running trace, then traces the next image', async () => {
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

  test('does not trace an image whose signal was aborted in the queue', async () => {
    const control = new AbortController();
    const first = tracer.trace(medium);
    const onProgress = () => assert.fail('the trace started');
    const second = tracer.trace(large, {}, { signal: control.signal, onProgress });
    const third = tracer.trace(disc);
    control.abort();
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(await first, wasm.traceSync(medium));
    assert.equal(await third, expected);
  });

  test('does not start with an aborted signal', async () => {
    await assert.rejects(tracer.trace(disc, {}, { signal: AbortSignal.abort() }), { name: 'AbortError' });
  });

  test('still works after 1,000 stopped traces', async () => {
    for (let call = 0; call < 1000; call++) {
      const control = new AbortController();
      const trace = tracer.trace(disc, {}, { signal: control.signal });
      // Aborts some in the queue, some while they run, and some just after their end.
      if (call % 3 > 0) await new Promise(setImmediate);
      control.abort();
      await trace.catch((error) => assert.equal(error.name, 'AbortError'));
    }
    assert.equal(await tracer.trace(disc), expected);
  });
});

describe('without shared memory', () => {
  const tracer = new Tracer();
  const scope = globalThis as { crossOriginIsolated?: boolean };
  before(() => {
    scope.crossOriginIsolated = false;
  });
  after(() => {
    delete scope.crossOriginIsolated;
    tracer.close();
  });

  test('stopping a trace terminates its worker; the next image gets a new one', async () => {
    await abortRunning(tracer);
    assert.equal(await tracer.trace(disc), expected);
  });

  test('stopping a trace does not affect those before and after it in the queue', async () => {
    const control = new AbortController();
    const first = tracer.trace(medium);
    const second = tracer.trace(large, {}, { signal: control.signal });
    const third = tracer.trace(disc);
    control.abort();
    await assert.rejects(second, { name: 'AbortError' });
    assert.equal(await first, wasm.traceSync(medium));
    assert.equal(await third, expected);
  });
});

describe('a tracer’s worker', () => {
  test('rejects everything after close', async () => {
    const tracer = new Tracer();
    const [first, second] = [tracer.trace(large), tracer.trace(disc)];
    const ends = Promise.allSettled([first, second]);
    await new Promise(setImmediate);
    tracer.close();
    for (const end of await ends) assert.equal(end.status === 'rejected' && end.reason.code, 'closed');
    await assert.rejects(tracer.trace(disc), { name: 'TracesmithError', code: 'closed' });
  });

  test('reports a missing engine, and tries to load it again', async () => {
    const tracer = new Tracer({ engine: new URL('nowhere.wasm', import.meta.url) });
    await assert.rejects(tracer.trace(disc), { code: 'engine_unavailable' });
    await assert.rejects(tracer.trace(disc), { code: 'engine_unavailable' });
  });

  test('accepts a compiled module', async () => {
    const { readFile } = await import('node:fs/promises');
    const bytes = await readFile(new URL(import.meta.resolve('tracesmith-wasm/engine_bg.wasm')));
    const tracer = new Tracer({ engine: await WebAssembly.compile(bytes) });
    assert.equal(await tracer.trace(disc), expected);
    tracer.close();
  });

  test('loads the engine with gradients for the first image that needs it, from where it is', async () => {
    const address = (name: string) => new URL(import.meta.resolve(`tracesmith-wasm/${name}`));
    const [plain, withGradients] = [address('engine_bg.wasm'), address('engine_gradients_bg.wasm')];
    const nowhere = new URL('nowhere.wasm', import.meta.url);
    const options = { gradients: true };
    const found = wasm.traceSync(shaded, options);
    assert.match(found, /Gradient/);
    for (const sources of [
      {},
      { engine: withGradients },
      { engine: nowhere, gradientsEngine: withGradients },
    ]) {
      const tracer = new Tracer(sources);
      assert.equal(await tracer.trace(shaded, options), found);
      assert.equal(await tracer.trace(disc), expected);
      tracer.close();
    }
    const tracer = new Tracer({ engine: plain, gradientsEngine: nowhere });
    assert.equal(await tracer.trace(disc), expected);
    await assert.rejects(tracer.trace(shaded, options), { code: 'engine_unavailable' });
    assert.equal(await tracer.trace(disc), expected);
    tracer.close();
  });

  test('reports that the caller’s only engine has no gradients', async () => {
    const engine = new URL(import.meta.resolve('tracesmith-wasm/engine_bg.wasm'));
    const tracer = new Tracer({ engine });
    await assert.rejects(tracer.trace(shaded, { gradients: true }), (thrown: wasm.TracesmithError) => {
      assert.equal(thrown.code, 'invalid_option');
      assert.equal(thrown.errors[0]?.pointer, '/gradients');
      assert.match(thrown.message, /engine_gradients_bg\.wasm/);
      return true;
    });
    tracer.close();
  });

  test('does not keep the process alive', () => {
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
    assert.equal(signal, null, 'the process did not end');
    assert.match(stdout, /^<svg /, stderr);
  });
});
