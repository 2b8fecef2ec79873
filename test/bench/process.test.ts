import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failed, Helper } from '../../scripts/bench/core/process.ts';

const MODULE = new URL(
  `data:text/javascript,${encodeURIComponent(`
  export const load = (greeting) => ({
    greet: async (name) => greeting + process.env.GREETED + name,
    fail: () => { throw new Error('not today'); },
    crash: () => { console.error('a line\\nRangeError: too much\\nanother'); process.exit(3); },
    hang: () => { for (;;); },
    print: () => console.log('to stdout'),
  });
`)}`,
);

async function withHelper(limitMs: number, use: (helper: Helper) => Promise<void>): Promise<void> {
  const helper = new Helper(MODULE, ['hello'], limitMs, { GREETED: ', ' });
  try {
    await use(helper);
  } finally {
    helper.end();
  }
}

const failsWith = (message: RegExp) => (error: unknown) =>
  error instanceof Failed && message.test(error.message);

test('functions of the module are called, one after another', () =>
  withHelper(60_000, async (helper) => {
    assert.equal(await helper.call('greet', 'one'), 'hello, one');
    assert.equal(await helper.call('print'), undefined);
    await assert.rejects(helper.call('fail'), failsWith(/^not today$/));
    assert.equal(await helper.call('greet', 'two'), 'hello, two');
  }));

test('a process that ends is a failure with its last words, and stays one', () =>
  withHelper(60_000, async (helper) => {
    await assert.rejects(helper.call('crash'), failsWith(/^ended: RangeError: too much$/));
    await assert.rejects(helper.call('greet', 'again'), failsWith(/./));
  }));

test('a call that takes too long is a failure', () =>
  withHelper(500, async (helper) => {
    await assert.rejects(helper.call('hang'), failsWith(/^took longer than 0\.5 s$/));
  }));
