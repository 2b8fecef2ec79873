import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import binaryen from 'binaryen';
import { StepFailed } from '../../scripts/lib/command.ts';
import { shorten } from '../../scripts/wasm/shorten.ts';

const folder = mkdtempSync(join(tmpdir(), 'shorten-'));
after(() => rmSync(folder, { recursive: true }));

const LANES = [
  '00000000',
  '3f800000',
  '80000000',
  '7fc00001',
  'ff800000',
  'ffffffff',
  '00ff00ff',
  '80808080',
  '07ffffff',
];
const DOUBLES = [
  '0',
  '-0',
  '1',
  '-1048576',
  '1048576',
  '0.5',
  '0.1',
  'inf',
  '-inf',
  '2147483648',
  '1e-310',
  'nan',
];
const DEALLOC = '$"<wasm::Memory as core::GlobalAlloc>::dealloc"';

/** How code drops a list: its capacity and pointer are in memory, or one of them or both in local variables. */
const DROPS = [
  '(if (i32.load offset=8 (local.get $a)) (then (call $free (i32.load offset=12 (local.get $a)))))',
  '(if (i32.load (local.get $a)) (then (call $free (i32.load offset=4 (local.get $a)))))',
  '(if (i32.load offset=4 (local.get $a)) (then (call $free (i32.load (local.get $a)))))',
  '(if (i32.load offset=8 (local.get $a)) (then (call $free (i32.load offset=12 (local.get $b)))))',
  '(if (i32.load offset=4 (local.get $a)) (then (call $free (local.get $b))))',
  '(if (local.get $a) (then (call $free (local.get $b))))',
  '(if (local.get $a) (then (call $free (i32.load (local.get $b)))))',
].map((drop) => drop.replace('$free', DEALLOC));

const SOURCE = `(module
  (memory (export "memory") 1)
  (global $freed (export "freed") (mut i32) (i32.const -1))
  (func ${DEALLOC} (param $p i32) (global.set $freed (local.get $p)))
  ${LANES.map((lane) => `0x${lane} `.repeat(4)).map(
    (lanes, i) => `(func (export "lane ${i}") (v128.store (i32.const 0) (v128.const i32x4 ${lanes})))`,
  )}
  (func (export "unlike lanes") (v128.store (i32.const 0) (v128.const i32x4 0x0 0x0 0x0 0x1)))
  ${DOUBLES.map((value, i) => `(func (export "double ${i}") (f64.store (i32.const 0) (f64.const ${value})))`)}
  ${DROPS.map((drop, i) => `(func (export "drop ${i}") (param $a i32) (param $b i32) ${drop})`)}
)`.replaceAll('),(', ') (');

interface Exports {
  memory: WebAssembly.Memory;
  freed: WebAssembly.Global;
  [name: string]: unknown;
}

/** A module as it is, and shortened: its size, and a new instance of it. */
function both(source: string) {
  const file = join(folder, 'module.wasm');
  const module = binaryen.parseText(source);
  module.setFeatures(binaryen.Features.All);
  binaryen.setDebugInfo(true);
  writeFileSync(file, module.emitBinary());
  binaryen.setDebugInfo(false);
  const read = () => {
    const bytes = readFileSync(file);
    return {
      size: bytes.length,
      exports: new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports,
    };
  };
  const before = read();
  shorten(file);
  return { before, after: read() };
}

/** The first bytes of memory and what was freed, after a call. */
function effects({ memory, freed, ...functions }: Exports, name: string, ...args: number[]) {
  const bytes = new Uint8Array(memory.buffer);
  // Lists: a capacity and a pointer, or none.
  bytes.fill(0xaa).set([3, 0, 0, 0, 90, 0, 0, 0, 5, 0, 0, 0, 91, 0, 0, 0], 32);
  bytes.set([0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 4, 0, 0, 0], 64);
  freed.value = -1;
  (functions[name] as (...args: number[]) => void)(...args);
  return { bytes: bytes.slice(0, 128), freed: freed.value };
}

test('a shortened module does the same', () => {
  const { before, after } = both(SOURCE);
  const names = Object.keys(before.exports).filter((name) => !['memory', 'freed'].includes(name));
  assert.equal(names.length, LANES.length + 1 + DOUBLES.length + DROPS.length);
  for (const name of names)
    for (const a of [0, 32, 64])
      for (const b of [32, 64])
        assert.deepEqual(
          effects(after.exports, name, a, b),
          effects(before.exports, name, a, b),
          `${name} ${a} ${b}`,
        );
});

const repeated = (what: string) =>
  `(module (memory 1) (func ${DEALLOC} (export "free") (param $p i32) (i32.store (i32.const 0) (local.get $p)))
  ${Array.from({ length: 20 }, (_, i) => `(func (export "${i}") (param $a i32) (param $b i32) ${what})`).join('\n')})`;

const SHORT = [
  '(v128.store (i32.const 0) (v128.const i32x4 0 0 0 0))',
  '(f64.store (i32.const 0) (f64.const 2))',
].concat(DROPS.filter((_, i) => [0, 1, 4, 5].includes(i)));

for (const what of SHORT)
  test(`${what.replace(/\$"[^"]*"/, 'free')} becomes shorter`, () => {
    const named = both(repeated('(nop)'));
    const { before, after } = both(repeated(what));
    // What the other functions and names take.
    const others = named.before.size - named.after.size;
    assert.ok(
      before.size - after.size > others,
      `${before.size} bytes, then ${after.size}, of which ${others} are names`,
    );
  });

test('a module without the function that frees memory is refused', () => {
  assert.throws(() => both('(module (memory 1))'), StepFailed);
});
