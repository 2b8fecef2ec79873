import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/lib/command.ts';

const module = readFileSync(join(root, 'bindings', 'wasm', 'pkg', 'engine_bg.wasm'));

test('the module is below 350 kB, and below 165 kB gzipped', () => {
  assert.ok(module.length < 350_000, `${module.length} bytes`);
  const gzipped = gzipSync(module, { level: 9 }).length;
  assert.ok(gzipped < 165_000, `${gzipped} bytes`);
});

test('the module contains no path of a source file, except of the standard library', () => {
  const paths = module.toString('latin1').match(/[\w./-]+\.rs/g) ?? [];
  assert.deepEqual(
    paths.filter((path) => !path.startsWith('/rustc/')),
    [],
  );
});
