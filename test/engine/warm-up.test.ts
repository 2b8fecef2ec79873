// What loading the engine does, and what it leaves to the first image.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import * as wasm from 'tracesmith-wasm';
import { scene } from './images.ts';

const PROGRAM = `
const { init, traceSync } = await import(process.argv[1]);
const [width, height, data] = [Number(process.argv[2]), Number(process.argv[3]), Buffer.from(process.argv[4], 'base64')];
await init(JSON.parse(process.argv[5]));
console.log('LOADED');
traceSync({ width, height, data });
console.log('TRACED');
console.log(process.moduleLoadList.join());
`;

interface Start {
  /** The number of functions that V8 compiles in `init`. */
  loading: number;
  /** And while the first image is traced. */
  first: number;
  /** The parts of Node.js that were loaded. */
  modules: string;
}

function start(options: wasm.InitOptions): Start {
  const { width, height, data } = scene(64, 48);
  const url = process.env.TRACESMITH_WASM || import.meta.resolve('tracesmith-wasm');
  const image = [String(width), String(height), Buffer.from(data).toString('base64')];
  const flags = ['--trace-wasm-compilation-times', '--input-type=module'];
  const args = [...flags, '-e', PROGRAM, url, ...image, JSON.stringify(options)];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(status, 0, stderr);
  const [loading = '', first = '', modules = ''] = stdout.split(/LOADED|TRACED/);
  const count = (text: string) => text.match(/using Liftoff/g)?.length ?? 0;
  return { loading: count(loading), first: count(first), modules };
}

test('init compiles nothing ahead, and the first image only what it needs', () => {
  const { loading, first } = start({});
  assert.ok(first > 50, `${first} functions with the first image`);
  assert.ok(loading < first / 8, `${loading} functions in init`);
});

test('init with a warm-up compiles nearly all of the engine, not the first image', () => {
  const { loading, first } = start({ warm: true });
  assert.ok(loading > 50, `${loading} functions in init`);
  assert.ok(first < loading / 8, `${first} functions with the first image, ${loading} in init`);
});

test('loading the engine from its file does not load the HTTP client of Node.js', () => {
  assert.doesNotMatch(start({}).modules, /undici/);
});

test('an engine that is loaded can still be warmed up', async () => {
  await wasm.init();
  await wasm.init({ warm: true });
  assert.ok(wasm.memoryBytes() > 0);
  assert.match(wasm.traceSync(scene(16, 16)), /^<svg /);
});
