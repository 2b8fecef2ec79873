// How much of the module is compiled before the first image is traced.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import * as wasm from 'tracesmith-wasm';
import { scene } from './images.ts';

const PROGRAM = `
const { init, traceSync } = await import(process.argv[1]);
const [width, height, data] = [Number(process.argv[2]), Number(process.argv[3]), Buffer.from(process.argv[4], 'base64')];
await init();
console.log('LOADED');
traceSync({ width, height, data });
console.log('TRACED');
`;

/** The number of functions that V8 compiles in `init`, and while the first image is traced. */
function compiledFunctions(): [loading: number, first: number] {
  const { width, height, data } = scene(64, 48);
  const url = process.env.TRACESMITH_WASM || import.meta.resolve('tracesmith-wasm');
  const image = [String(width), String(height), Buffer.from(data).toString('base64')];
  const args = ['--trace-wasm-compilation-times', '--input-type=module', '-e', PROGRAM, url, ...image];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0, stderr);
  const [loading = '', first = ''] = stdout.split(/LOADED|TRACED/);
  const count = (text: string) => text.match(/using Liftoff/g)?.length ?? 0;
  return [count(loading), count(first)];
}

test('init compiles nearly all of the engine, not the first image', () => {
  const [loading, first] = compiledFunctions();
  assert.ok(loading > 50, `${loading} functions in init`);
  assert.ok(first < loading / 8, `${first} functions with the first image, ${loading} in init`);
});

test('init traces the warm-up image, and the engine is then ready', async () => {
  await wasm.init();
  assert.ok(wasm.memoryBytes() > 0);
  assert.match(wasm.traceSync(scene(16, 16)), /^<svg /);
});
