import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { skipWithoutAddon } from './native.ts';

const SIDE_PX = 64;

// Only workers load the addon: Node.js would not unload it if the main thread did too.
const traceInWorker = `
  const { parentPort } = require('node:worker_threads');
  import('tracesmith-native').then(async ({ engine, trace, traceSync }) => {
    const image = { width: ${SIDE_PX}, height: ${SIDE_PX}, data: new Uint8Array(4 * ${SIDE_PX * SIDE_PX}).fill(200) };
    parentPort.postMessage({ engine, same: (await trace(image)) === traceSync(image) });
  });
`;

test('the addon can be loaded again after the last thread that used it has ended', {
  skip: skipWithoutAddon,
}, async () => {
  for (let round = 0; round < 4; round++) {
    const worker = new Worker(traceInWorker, { eval: true });
    const [[reply], [exitCode]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    assert.deepEqual(reply, { engine: 'native', same: true });
    assert.equal(exitCode, 0);
  }
});
