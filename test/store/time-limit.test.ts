import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { install } from '@sinonjs/fake-timers';
import { inTime } from '../../host/store/time-limit.ts';

const LIMIT_MS = 50;

/** Blocks the event loop, as garbage collection does, or a machine without a free processor. */
function block(ms: number): void {
  const endMs = performance.now() + ms;
  while (performance.now() < endMs);
}

const nextTurn = () => new Promise((resolve) => setImmediate(resolve));

test('a result that does not come is given up at the limit, not before', async (t) => {
  const clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  const errors: string[] = [];
  inTime(new Promise(() => {}), LIMIT_MS).catch(({ message }: Error) => errors.push(message));
  clock.tick(LIMIT_MS - 1);
  await nextTurn();
  assert.deepEqual(errors, []);
  clock.tick(1);
  await nextTurn();
  assert.deepEqual(errors, ['no reply within 50 ms']);
  assert.equal(clock.countTimers(), 0);
});

test('a result leaves no timer behind', async (t) => {
  const clock = install({ toFake: ['setTimeout', 'clearTimeout'] });
  t.after(() => clock.uninstall());
  assert.equal(await inTime(Promise.resolve('reply'), LIMIT_MS), 'reply');
  await assert.rejects(inTime(Promise.reject(new Error('refused')), LIMIT_MS), /refused/);
  await nextTurn();
  assert.equal(clock.countTimers(), 0);
});

test('the time for which the process was blocked does not count', async () => {
  const reply = sleep(1, 'reply');
  const result = inTime(reply, LIMIT_MS);
  block(4 * LIMIT_MS);
  assert.equal(await result, 'reply');
  const later = inTime(sleep(4 * LIMIT_MS + 5, 'later'), LIMIT_MS);
  block(4 * LIMIT_MS);
  assert.equal(await later, 'later');
});
