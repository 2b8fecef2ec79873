import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import sharp from 'sharp';
import { decodeRaster } from '../../host/image/decode.mjs';
import { picture } from './service.ts';

const LIMITS = { maxPixels: 1e6, processingTimeoutMs: 10_000 };
const PNG = { operation: ['VipsForeignLoadPng'] };

test('starting a thread does not change the loaders while other threads decode', async () => {
  assert.equal((await decodeRaster(picture('logo.png'), LIMITS)).width, 256);
  sharp.block(PNG);
  await once(new Worker(new URL('../../host/image/decode.mjs', import.meta.url)), 'exit');
  await assert.rejects(decodeRaster(picture('logo.png'), LIMITS), { code: 'invalid_image' });
  sharp.unblock(PNG);
  assert.equal((await decodeRaster(picture('logo.png'), LIMITS)).width, 256);
});
