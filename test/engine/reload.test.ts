import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';

const SIDE_PX = 64;
const skip = process.env.TRACESMITH_NATIVE === '' ? 'the native engine was not built' : false;

// The main thread must not load the addon: it would keep it.
const traceAndEnd = `
  const { parentPort } = require('node:worker_threads');
  import('tracesmith-native').then(async ({ engine, trace, traceSync }) => {
    const image = { width: ${SIDE_PX}, height: ${SIDE_PX}, data: new Uint8Array(4 * ${SIDE_PX * SIDE_PX}).fill(200) };
    parentPort.postMessage({ engine, same: (await trace(image)) === traceSync(image) });
  });
`;

test('the addon, unloaded with the last thread that used it, can be loaded again', { skip }, async () => {
  for (let round = 0; round < 4; round++) {
    const worker = new Worker(traceAndEnd, { eval: true });
    const [[answer], [code]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    assert.deepEqual(answer, { engine: 'native', same: true });
    assert.equal(code, 0);
  }
});
