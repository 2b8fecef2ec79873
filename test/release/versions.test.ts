import assert from 'node:assert/strict';
import { test } from 'node:test';
import { places, version, versionProblems } from '../../scripts/release/versions.ts';

test('all that is published has one version', () => {
  assert.match(version(), /^\d+\.\d+\.\d+$/);
  assert.deepEqual(versionProblems(), []);
});

test('every place is looked at', () => {
  const found = Object.keys(places());
  for (const where of [
    'Cargo.lock, tracesmith-node',
    'package.json',
    'host/package.json',
    'bindings/node/package.json',
    'bindings/wasm/pkg/package.json',
    'package-lock.json, the root',
    'package-lock.json, bindings/node',
  ])
    assert.ok(found.includes(where), `${where} is not among ${found.join('; ')}`);
});
