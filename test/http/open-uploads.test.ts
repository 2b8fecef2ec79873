import assert from 'node:assert/strict';
import { test } from 'node:test';
import { OpenUploads } from '../../host/limits/open-uploads.ts';

const LONG_MS = 2_000;

test('of the account with the most uploads, the first one is ended', () => {
  let nowMs = 0;
  const ended: string[] = [];
  const uploads = new OpenUploads(() => nowMs);
  const enter = (account: string, name: string) => uploads.enter(account, () => ended.push(name));
  const first = enter('few', 'few 1');
  const second = enter('few', 'few 2');
  const releases = ['many 1', 'many 2', 'many 3'].map((name) => enter('many', name));
  assert.ok(!uploads.rejectOne(), 'none has taken long');
  nowMs = LONG_MS;
  assert.ok(uploads.rejectOne());
  assert.deepEqual(ended, ['many 1']);
  for (const release of releases) release();
  assert.ok(uploads.rejectOne());
  assert.deepEqual(ended, ['many 1', 'few 1']);
  assert.ok(!uploads.rejectOne(), 'an account keeps its only one');
  first();
  second();
  for (const name of ['new 1', 'new 2']) enter('few', name);
  assert.ok(!uploads.rejectOne());
  nowMs = 2 * LONG_MS;
  assert.ok(uploads.rejectOne());
  assert.deepEqual(ended, ['many 1', 'few 1', 'new 1']);
});
