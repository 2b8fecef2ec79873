import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { before, describe, test } from 'node:test';
import * as native from 'tracesmith-native';
import * as wasm from 'tracesmith-wasm';
import { optionSets, pictures, scene } from './pictures.ts';

const skip = process.env.TRACESMITH_NATIVE === '' ? 'the native engine was not built' : false;
const engines = { wasm, native };
const picture = scene(200, 160);
const small = pictures.disc as wasm.ImageLike;
/** A thread that has so much to do lets a busy main thread hear of it. */
const large = scene(900, 700);
const tooTall = { width: 1, height: 70_000, data: new Uint8Array(280_000) };
const STAGES = ['prepare', 'segment', 'resolve', 'merge', 'outline', 'fit', 'write'];

before(() => wasm.init());

for (const [name, engine] of Object.entries(engines)) {
  describe(`${name}: a watched trace`, { skip: name === 'native' && skip }, () => {
    // Of a shorter trace on another thread, a busy main thread might hear only the end.
    const image = name === 'native' ? scene(420, 320) : picture;
    const expected = () => engine.traceSync(image);

    /** Both ways to trace, in the same words. */
    const ways = {
      traceSync: async (watch: wasm.Watch) => engine.traceSync(image, {}, watch),
      trace: (watch: wasm.Watch) => engine.trace(image, {}, watch),
    };
    for (const [way, trace] of Object.entries(ways)) {
      test(`${way} stops when onProgress returns false`, async () => {
        const stopped = trace({ onProgress: () => false });
        await assert.rejects(stopped, { name: 'TracesmithError', code: 'cancelled' });
        assert.equal(engine.traceSync(image), expected());
      });

      test(`${way} goes on after anything else`, async () => {
        for (const answer of [undefined, 0]) {
          assert.equal(await trace({ onProgress: () => answer }), expected());
        }
      });

      test(`${way} stops when onProgress throws, with what it threw`, async () => {
        for (const reason of [new RangeError('enough'), 'words', undefined]) {
          const onProgress = () => {
            throw reason;
          };
          const stopped = await trace({ onProgress }).then(
            () => assert.fail('it went on'),
            (thrown: unknown) => ({ thrown }),
          );
          assert.deepEqual(stopped, { thrown: reason });
        }
      });

      test(`${way} rejects with the reason of a signal that is aborted on the way`, async () => {
        const control = new AbortController();
        const reason = { any: 'value' };
        const onProgress = ({ fraction }: wasm.Progress) => {
          if (fraction > 0) control.abort(reason);
        };
        await assert.rejects(trace({ onProgress, signal: control.signal }), (thrown) => thrown === reason);
      });

      test(`${way} does not begin when the signal is aborted already`, async () => {
        const onProgress = () => assert.fail('it began');
        await assert.rejects(async () => trace({ onProgress, signal: AbortSignal.abort() }), {
          name: 'AbortError',
        });
      });

      test(`${way} leaves a signal that was not aborted alone`, async () => {
        const { signal } = new AbortController();
        assert.equal(await trace({ signal }), expected());
        assert.equal(getEventListeners(signal, 'abort').length, 0);
      });
    }

    test('it tells how far it has come', async () => {
      const told: wasm.Progress[] = [];
      assert.equal(
        await engine.trace(large, {}, { onProgress: (progress) => told.push(progress) }),
        engine.traceSync(large),
      );
      assert.ok(told.length > 3, `${told.length} reports`);
      const order = told.map(({ stage }) => STAGES.indexOf(stage));
      assert.deepEqual(
        order,
        order.toSorted((a, b) => a - b),
      );
      assert.ok(!order.includes(-1));
      const fractions = told.map(({ fraction }) => fraction);
      assert.deepEqual(
        fractions,
        fractions.toSorted((a, b) => a - b),
      );
      assert.ok(fractions.every((fraction) => fraction >= 0 && fraction <= 1));
    });

    test('what cannot be traced is said, watched or not', () => {
      assert.throws(() => engine.traceSync(tooTall, {}, { onProgress: () => true }), {
        code: 'invalid_dimensions',
      });
    });

    test('the same bytes for every picture and all options', () => {
      for (const image of Object.values(pictures))
        for (const options of optionSets) {
          const watched = engine.traceSync(image, options, { onProgress: () => true });
          assert.equal(watched, engine.traceSync(image, options));
        }
    });
  });
}

describe('1,000 cancelled traces leave nothing behind', () => {
  /** Stops at the first report, the second, and so on; then at the first again. */
  const cancel = (engine: typeof wasm | typeof native, most: number) => {
    for (let call = 0; call < most; call++) {
      let left = call % 8;
      const onProgress = () => left-- > 0;
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

  test('natively', { skip }, () => {
    cancel(native, 300);
    const before = process.memoryUsage.rss();
    cancel(native, 1000);
    const perCall = (process.memoryUsage.rss() - before) / 1000;
    // The pixels alone are 16,384 bytes.
    assert.ok(perCall < 3_000, `${perCall} bytes a call`);
  });
});

test('the WebAssembly engine is not entered twice', () => {
  const expected = wasm.traceSync(picture);
  const codes: unknown[] = [];
  const attempt = (call: () => unknown) => {
    try {
      call();
    } catch (error) {
      codes.push((error as wasm.TracesmithError).code);
    }
  };
  const svg = wasm.traceSync(
    picture,
    {},
    {
      onProgress() {
        attempt(() => wasm.traceSync(picture));
        attempt(() => wasm.recycle());
      },
    },
  );
  assert.equal(svg, expected);
  assert.deepEqual(new Set(codes), new Set(['busy']));
  assert.equal(wasm.traceSync(picture), expected);
});

describe('a native trace on its own thread', { skip }, () => {
  /** CPU time of `run`, all threads, in ms. */
  async function cpuOf(run: () => Promise<unknown>): Promise<number> {
    const before = process.cpuUsage();
    await run();
    // The thread of a trace that was stopped may still be at it: whoever comes next there waits for its end.
    await Promise.all(Array.from({ length: 8 }, () => native.trace(pictures.pixel as wasm.ImageLike)));
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  }

  test('ends when the signal is aborted, not only its promise', async () => {
    const whole = await cpuOf(() => native.trace(large));
    const stopped = await cpuOf(async () => {
      const control = new AbortController();
      const trace = native.trace(large, {}, { signal: control.signal });
      control.abort('enough');
      await assert.rejects(trace, (thrown) => thrown === 'enough');
    });
    assert.ok(stopped < whole / 2, `${stopped} ms of CPU time for a stopped trace, ${whole} for a whole one`);
  });

  test('is never begun when it was cancelled in the queue', async () => {
    const control = new AbortController();
    const images = Array.from({ length: 40 }, () => large);
    const cpu = await cpuOf(async () => {
      const traces = images.map((image) => native.trace(image, {}, { signal: control.signal }));
      control.abort();
      const ends = await Promise.allSettled(traces);
      assert.ok(ends.every(({ status }) => status === 'rejected'));
    });
    const whole = await cpuOf(() => native.trace(large));
    assert.ok(cpu < 20 * whole, `${cpu} ms of CPU time, and one trace takes ${whole}`);
  });
});
