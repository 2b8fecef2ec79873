import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ErrorPacer } from '../../host/http/error-pacer.ts';
import { StartQueue } from '../../host/http/start-queue.ts';

const TICK_MS = 10;

describe('error pacer', () => {
  const isGone = () => false;

  /** Calls `turn` for each error at time 0; the times at which they are sent, in the order of the calls. */
  async function sent(count: number, t: import('node:test').TestContext) {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    const pacer = new ErrorPacer(() => now);
    const times: number[] = [];
    let last = 0;
    const all = Array.from({ length: count }, async (_, index) => {
      await pacer.turn(isGone);
      assert.ok(index === 0 || index >= last, 'first come, first served');
      last = index;
      times.push(now);
    });
    await Promise.resolve();
    while (times.length < count) {
      now += TICK_MS;
      t.mock.timers.tick(TICK_MS);
      for (let turn = 0; turn < 3; turn++) await Promise.resolve();
      assert.ok(now < 60_000, `${times.length} of ${count} sent`);
    }
    await Promise.all(all);
    return times;
  }

  test('few are not delayed', async (t) => {
    assert.deepEqual(new Set(await sent(10, t)), new Set([0]));
  });

  test('hundreds at once are sent at 1,000 a second', async (t) => {
    const times = await sent(500, t);
    assert.equal(times[99], 90);
    assert.equal(times.at(-1), 490);
  });

  test('thousands at once are delayed by seconds, not minutes', async (t) => {
    const times = await sent(10_000, t);
    const median = Number(times[5_000]);
    assert.ok(median > 2_000 && median < 4_000, String(median));
    assert.ok(Number(times.at(-1)) < 12_000);
  });

  test('the one that has waited longest is hurried, if its client is still there', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    const pacer = new ErrorPacer(() => 0);
    while ((await Promise.race([pacer.turn(() => true), Promise.resolve('waiting')])) !== 'waiting');
    const [first, second] = [pacer.turn(isGone), pacer.turn(isGone)];
    assert.equal(pacer.hurry(), true);
    assert.equal(await first, 'hurried');
    assert.equal(pacer.hurry(), true);
    assert.equal(await second, 'hurried');
    assert.equal(pacer.hurry(), false);
  });

  test('the timer ends when no errors come, and starts again', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    const pacer = new ErrorPacer(() => now);
    for (let second = 0; second < 3; second++) {
      await pacer.turn(isGone);
      now += 1_000;
      t.mock.timers.tick(1_000);
    }
    await pacer.turn(isGone);
  });
});

describe('start queue', () => {
  test('urgent requests go first, and others keep their order', async () => {
    const queue = new StartQueue();
    const started: string[] = [];
    for (const [name, urgent] of [
      ['a', false],
      ['b', false],
      ['probe', true],
    ] as const)
      queue.add(() => started.push(name), { urgent });
    assert.deepEqual(started, []);
    while (started.length < 3) await new Promise((resolve) => setImmediate(resolve));
    assert.deepEqual(started, ['probe', 'a', 'b']);
  });

  test('other events are handled between many requests', async () => {
    const queue = new StartQueue();
    let [started, turns] = [0, 0];
    const busy = () => {
      const end = performance.now() + 2;
      while (performance.now() < end);
      started++;
    };
    for (let i = 0; i < 20; i++) queue.add(busy, { urgent: false });
    while (started < 20) {
      await new Promise((resolve) => setImmediate(resolve));
      turns++;
    }
    assert.ok(turns >= 19, `${turns} turns`);
  });
});
