import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/lib/command.ts';

const module = readFileSync(join(root, 'bindings', 'wasm', 'pkg', 'engine_bg.wasm'));

test('the module is under 350 kB, gzipped under 155 kB', () => {
  assert.ok(module.length < 350_000, `${module.length} bytes`);
  const packed = gzipSync(module, { level: 9 }).length;
  assert.ok(packed < 155_000, `${packed} bytes`);
});

test('the module names no source file but those of the standard library', () => {
  const names = module.toString('latin1').match(/[\w./-]+\.rs/g) ?? [];
  assert.deepEqual(
    names.filter((name) => !name.startsWith('/rustc/')),
    [],
  );
});
