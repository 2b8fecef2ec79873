import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { root } from '../../scripts/lib/command.ts';

const read = (name: string) => readFileSync(join(root, 'bindings', 'wasm', 'pkg', name));

const MODULES = [
  { name: 'engine_bg.wasm', bytes: 350_000, gzipped: 174_000 },
  { name: 'engine_gradients_bg.wasm', bytes: 416_500, gzipped: 206_500 },
];

for (const { name, bytes, gzipped } of MODULES) {
  test(`${name} is below ${bytes} bytes, and below ${gzipped} gzipped`, () => {
    const module = read(name);
    assert.ok(module.length < bytes, `${module.length} bytes`);
    const { length } = gzipSync(module, { level: 9 });
    assert.ok(length < gzipped, `${length} bytes gzipped`);
  });

  test(`${name} contains no path of a source file, except of the standard library`, () => {
    const paths =
      read(name)
        .toString('latin1')
        .match(/[\w./-]+\.rs/g) ?? [];
    assert.deepEqual(
      paths.filter((path) => !path.startsWith('/rustc/')),
      [],
    );
  });
}
