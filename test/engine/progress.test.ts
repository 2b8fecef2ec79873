import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { before, describe, test } from 'node:test';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { images, optionSets, scene } from './images.ts';
import { skipWithoutAddon } from './native.ts';

const engines = { wasm, native };
const medium = scene(200, 160);
const small = images.disc as wasm.ImageLike;
/** Takes long enough to be stopped halfway. */
const large = scene(900, 700);
const tooTall = { width: 1, height: 70_000, data: new Uint8Array(280_000) };
const STAGES = ['prepare', 'segment', 'resolve', 'merge', 'outline', 'fit', 'repair', 'write'];

before(() => wasm.init({ gradients: true }));

for (const [name, engine] of Object.entries(engines)) {
  describe(`${name}: a watched trace`, { skip: name === 'native' && skipWithoutAddon }, () => {
    const image = medium;
    const expected = () => engine.traceSync(image);

    const functions = {
      traceSync: async (watch: wasm.Watch) => engine.traceSync(image, {}, watch),
      trace: (watch: wasm.Watch) => engine.trace(image, {}, watch),
    };
    for (const [way, trace] of Object.entries(functions)) {
      test(`${way} stops when onProgress returns false`, async () => {
        const stopped = trace({ onProgress: () => false });
        await assert.rejects(stopped, { name: 'TracesmithError', code: 'cancelled' });
        assert.equal(engine.traceSync(image), expected());
      });

      test(`${way} continues when onProgress returns another value`, async () => {
        for (const value of [undefined, 0]) {
          assert.equal(await trace({ onProgress: () => value }), expected());
        }
      });

      test(`${way} stops when onProgress throws, and throws the same value`, async () => {
        for (const reason of [new RangeError('enough'), 'a string', undefined]) {
          const onProgress = () => {
            throw reason;
          };
          const stopped = await trace({ onProgress }).then(
            () => assert.fail('the trace continued'),
            (thrown: unknown) => ({ thrown }),
          );
          assert.deepEqual(stopped, { thrown: reason });
        }
      });

      test(`${way} rejects with the signal’s reason when it is aborted during the trace`, async () => {
        const control = new AbortController();
        const reason = { any: 'value' };
        const onProgress = ({ fraction }: wasm.Progress) => {
          if (fraction > 0) control.abort(reason);
        };
        await assert.rejects(trace({ onProgress, signal: control.signal }), (thrown) => thrown === reason);
      });

      test(`${way} does not start with an aborted signal`, async () => {
        const onProgress = () => assert.fail('the trace started');
        await assert.rejects(async () => trace({ onProgress, signal: AbortSignal.abort() }), {
          name: 'AbortError',
        });
      });

      test(`${way} removes its listener from the signal`, async () => {
        const { signal } = new AbortController();
        assert.equal(await trace({ signal }), expected());
        assert.equal(getEventListeners(signal, 'abort').length, 0);
      });
    }

    test('progress is reported in order', async () => {
      const reports: wasm.Progress[] = [];
      assert.equal(
        await engine.trace(large, {}, { onProgress: (progress) => reports.push(progress) }),
        engine.traceSync(large),
      );
      assert.ok(reports.length > 3, `${reports.length} reports`);
      const order = reports.map(({ stage }) => STAGES.indexOf(stage));
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
      assert.ok(!order.includes(-1));
      const fractions = reports.map(({ fraction }) => fraction);
      assert.deepEqual(
        fractions,
        fractions.toSorted((a, b) => a - b),
      );
      assert.ok(fractions.every((fraction) => fraction >= 0 && fraction <= 1));
    });

    test('an invalid image is rejected', () => {
      assert.throws(() => engine.traceSync(tooTall, {}, { onProgress: () => true }), {
        code: 'invalid_dimensions',
      });
    });

    test('watching does not change the bytes, for all images and options', () => {
      for (const image of Object.values(images))
        for (const options of optionSets) {
          const watched = engine.traceSync(image, options, { onProgress: () => true });
          assert.equal(watched, engine.traceSync(image, options));
        }
    });
  });
}

describe('1,000 cancelled traces leak no memory', () => {
  /** Stops call 0 at its first report, call 1 at its second, up to the eighth, then starts over. */
  const cancel = (engine: typeof wasm | typeof native, calls: number) => {
    for (let call = 0; call < calls; call++) {
      let remaining = call % 8;
      const onProgress = () => remaining-- > 0;
      try {
        engine.traceSync(small, {}, { onProgress });
      } catch (error) {
        assert.equal((error as wasm.TracesmithError).code, 'cancelled');
      }
    }
  };

  test('in WebAssembly', () => {
    const expected = wasm.traceSync(small);
    cancel(wasm, 100);
    const before = wasm.memoryBytes();
    cancel(wasm, 1000);
    assert.equal(wasm.memoryBytes(), before);
    assert.equal(wasm.traceSync(small), expected);
  });

  test('natively', { skip: skipWithoutAddon }, () => {
    cancel(native, 300);
    const before = process.memoryUsage.rss();
    cancel(native, 1000);
    const perCall = (process.memoryUsage.rss() - before) / 1000;
    // The pixels alone are 16,384 bytes.
    assert.ok(perCall < 3_000, `${perCall} bytes per call`);
  });
});

test('the WebAssembly engine rejects calls from onProgress', () => {
  const expected = wasm.traceSync(medium);
  const codes: unknown[] = [];
  const attempt = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      codes.push((error as wasm.TracesmithError).code);
    }
  };
  const svg = wasm.traceSync(
    medium,
    {},
    {
      onProgress() {
        attempt(() => wasm.traceSync(medium));
        attempt(() => wasm.recycle());
      },
    },
  );
  assert.equal(svg, expected);
  assert.deepEqual(new Set(codes), new Set(['busy']));
  assert.equal(wasm.traceSync(medium), expected);
});

describe('a native trace on another thread', { skip: skipWithoutAddon }, () => {
  const stagesOf = (reports: wasm.Progress[]) => [...new Set(reports.map(({ stage }) => stage))];

  function stagesInSync(image: wasm.ImageLike): string[] {
    const reports: wasm.Progress[] = [];
    native.traceSync(image, {}, { onProgress: (progress) => reports.push(progress) });
    return stagesOf(reports);
  }

  for (const side of [1, 2, 8, 32]) {
    const image = scene(side, side);

    test(`reports every stage of an image of ${side} px`, async () => {
      const expected = stagesInSync(image);
      for (let round = 0; round < 50; round++) {
        const reports: wasm.Progress[] = [];
        await native.trace(image, {}, { onProgress: (progress) => reports.push(progress) });
        assert.deepEqual(stagesOf(reports), expected);
      }
    });

    test(`rejects if onProgress stops an image of ${side} px, at any stage`, async () => {
      for (const last of stagesInSync(image)) {
        const refuse = native.trace(image, {}, { onProgress: ({ stage }) => stage !== last });
        await assert.rejects(refuse, { code: 'cancelled' });
        const onProgress = ({ stage }: wasm.Progress) => {
          if (stage === last) throw new RangeError(last);
        };
        await assert.rejects(native.trace(image, {}, { onProgress }), { name: 'RangeError', message: last });
      }
    });
  }

  test('reports every stage to a main thread that was busy, in order', async () => {
    const reports: wasm.Progress[] = [];
    const trace = native.trace(medium, {}, { onProgress: (progress) => reports.push(progress) });
    const end = performance.now() + 500;
    while (performance.now() < end);
    await trace;
    assert.deepEqual(stagesOf(reports), stagesInSync(medium));
    const fractions = reports.map(({ fraction }) => fraction);
    assert.deepEqual(
      fractions,
      fractions.toSorted((a, b) => a - b),
    );
  });

  /** The CPU time of `run` on all threads, in milliseconds. */
  async function cpuOf(run: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await run();
    // A stopped trace may still be ending on its thread; a trace on each thread of the pool waits for that.
    await Promise.all(Array.from({ length: 8 }, () => native.trace(images.pixel as wasm.ImageLike)));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  test('stops using CPU time when the signal is aborted', async () => {
    const whole = await cpuOf(() => native.trace(large));
    const stopped = await cpuOf(async () => {
      const control = new AbortController();
      const trace = native.trace(large, {}, { signal: control.signal });
      control.abort('enough');
      await assert.rejects(trace, (thrown) => thrown === 'enough');
    });
    assert.ok(
      stopped < whole / 2,
      `${stopped} ms of CPU time for a stopped trace, ${whole} ms for a complete one`,
    );
  });

  test('does not start if it was cancelled in the queue', async () => {
    const control = new AbortController();
    const queue = Array.from({ length: 40 }, () => large);
    const cpu = await cpuOf(async () => {
      const traces = queue.map((image) => native.trace(image, {}, { signal: control.signal }));
      control.abort();
      const results = await Promise.allSettled(traces);
      assert.ok(results.every(({ status }) => status === 'rejected'));
    });
    const whole = await cpuOf(() => native.trace(large));
    assert.ok(cpu < 20 * whole, `${cpu} ms of CPU time; one complete trace takes ${whole} ms`);
  });
});
