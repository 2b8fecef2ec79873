import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/command.ts';

const module = readFileSync(join(root, 'bindings', 'wasm', 'pkg', 'engine_bg.wasm'));

test('the module is under 350 kB, packed under 150 kB', () => {
  assert.ok(module.length < 350_000, `${module.length} bytes`);
  const packed = gzipSync(module, { level: 9 }).length;
  assert.ok(packed < 150_000, `${packed} bytes`);
});

test('the module names no source file', () => {
  const names = module.toString('latin1').match(/[\w./-]+\.rs/g);
  assert.equal(names, null, names?.join(', '));
});
