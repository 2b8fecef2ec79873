import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { ErrorPacer } from '../../host/http/error-pacer.ts';
import { StartQueue } from '../../host/http/start-queue.ts';

const TICK_MS = 10;

describe('error pacer', () => {
  /** Calls `turn` for each error at time 0; the times at which they are sent, in the order of the calls. */
  async function sent(count: number, maxWaiting: number, t: import('node:test').TestContext) {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    const pacer = new ErrorPacer(maxWaiting, () => now);
    const times: number[] = [];
    let last = 0;
    const all = Array.from({ length: count }, async (_, index) => {
      await pacer.turn();
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
    assert.deepEqual(new Set(await sent(10, 2_000, t)), new Set([0]));
  });

  test('hundreds at once are sent at 1,000 a second', async (t) => {
    const times = await sent(500, 2_000, t);
    assert.equal(times[99], 90);
    assert.equal(times.at(-1), 490);
  });

  test('the more wait, the shorter the delay', async (t) => {
    const times = await sent(10_000, 2_000, t);
    assert.ok(times.filter((ms) => ms <= 1_000).length > 8_000);
    assert.ok(Number(times.at(-1)) < 4_000);
  });

  test('the timer ends when no errors come, and starts again', async (t) => {
    t.mock.timers.enable({ apis: ['setInterval'] });
    let now = 0;
    const pacer = new ErrorPacer(100, () => now);
    for (let second = 0; second < 3; second++) {
      await pacer.turn();
      now += 1_000;
      t.mock.timers.tick(1_000);
    }
    await pacer.turn();
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
