import assert from 'node:assert/strict';
import { readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { init, traceSync } from 'tracesmith-wasm';
import { users } from '../../scripts/release/package-users.ts';
import { program } from '../clients/program.ts';
import { project, tool, withTools } from './project.ts';
import { start } from './started.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const node = (cwd: string, ...args: string[]) => program(process.execPath, args, { cwd });

test('what is tried are the packed packages, not the folders they were packed from', () => {
  for (const name of ['tracesmith-wasm', 'tracesmith-native'])
    assert.equal(realpathSync(tool(name)), join(realpathSync(users), 'node_modules', name));
});

test('the WebAssembly package has its licenses, and the notices of what is compiled into it', () => {
  const file = (name: string) => readFileSync(join(tool('tracesmith-wasm'), name), 'utf8');
  assert.match(file('LICENSE-MIT'), /^MIT License/);
  assert.match(file('LICENSE-APACHE'), /Apache License/);
  for (const part of ['wide 1.', 'talc 5.', 'Shaun Beautement', 'Permission is hereby granted'])
    assert.ok(file('THIRD-PARTY-NOTICES').includes(part), part);
});

test('Node.js', async () => {
  const folder = project('node');
  await node(folder, 'trace.mjs');
  assert.match(readFileSync(join(folder, 'logo.svg'), 'utf8'), /^<svg [^>]*viewBox="0 0 256 256"/);
});

test('Node.js, a tracer that says how far it has come', async () => {
  const said = await node(project('node'), 'stop.mjs');
  assert.match(said, /^0 % prepare\n(?:\d+ % [a-z]+\n)+<svg [^>]*viewBox="0 0 256 256"/);
});

test('Node.js, natively', async () => {
  const folder = project('native');
  assert.match(await node(folder, 'trace.mjs'), /traced by the native engine\n$/);
  const svg = readFileSync(join(folder, 'logo.svg'), 'utf8');
  assert.match(svg, /^<svg [^>]*viewBox="0 0 256 256"/);
  rmSync(join(folder, 'logo.svg'));
  const code = "process.env.NAPI_RS_NATIVE_LIBRARY_PATH = './nowhere.node'; await import('./trace.mjs');";
  writeFileSync(join(folder, 'without.mjs'), code);
  assert.match(await node(folder, 'without.mjs'), /traced by the wasm engine\n$/);
  assert.equal(readFileSync(join(folder, 'logo.svg'), 'utf8'), svg);
});

test('Deno, a tracer', async () => {
  const folder = project('deno');
  const code = `import { Tracer } from 'tracesmith-wasm/tracer';
    const tracer = new Tracer();
    const control = new AbortController();
    const image = { width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) };
    const watch = { onProgress: () => control.abort('enough'), signal: control.signal };
    console.log(await tracer.trace(image, {}, watch).catch(String), await tracer.trace(image));
    tracer.close();`;
  writeFileSync(join(folder, 'tracer.js'), code);
  const run = ['run', '--no-prompt', '--allow-read', '--allow-env', '--node-modules-dir=manual', 'tracer.js'];
  assert.match(await program(tool('.bin/deno'), run, { cwd: folder }), /^enough <svg /);
});

test('Deno', async () => {
  const folder = project('deno');
  const run = ['run', '--no-prompt', '--allow-read', '--allow-env', '--node-modules-dir=manual', 'trace.js'];
  const svg = await program(tool('.bin/deno'), run, { cwd: folder });
  assert.match(svg, /^<svg [^>]*viewBox="0 0 64 64"/);
});

const GRADIENTS = `import { trace } from 'tracesmith-wasm';
  const [width, height] = [96, 64];
  const data = new Uint8Array(4 * width * height).map((_, i) => [40 + 2 * ((i >> 2) % width), 90, 200, 255][i % 4]);
  const image = { width, height, data };
  console.log([await trace(image), await trace(image, { gradients: true })].map((svg) => svg.includes('Gradient')).join());`;

test('Node.js and Deno find the engine with gradients', async () => {
  const folder = project('deno');
  writeFileSync(join(folder, 'gradients.js'), GRADIENTS);
  const deno = [
    'run',
    '--no-prompt',
    '--allow-read',
    '--allow-env',
    '--node-modules-dir=manual',
    'gradients.js',
  ];
  assert.equal(await program(tool('.bin/deno'), deno, { cwd: folder }), 'false,true\n');
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }');
  assert.equal(await node(folder, 'gradients.js'), 'false,true\n');
});

test('workerd', async () => {
  const folder = project('edge');
  await program('sh', ['build.sh'], { cwd: folder, env: withTools() });
  const serve = (port: number) => ['serve', 'config.capnp', `--socket-addr=http=127.0.0.1:${port}`];
  const edge = await start(tool('.bin/workerd'), serve, folder);
  try {
    const data = new Uint8Array(48 * 32 * 4).fill(255);
    data.fill(90, 0, data.length / 2);
    const answer = await fetch(`${edge.url}?width=48&height=32`, { method: 'POST', body: data });
    await init();
    assert.equal(await answer.text(), traceSync({ width: 48, height: 32, data }, { filterSpeckle: 2 }));
  } finally {
    await edge.stop();
  }
});

describe('the ways to load the engine', () => {
  const WAYS = {
    'by itself': 'await init()',
    'an address': "await init(import.meta.resolve('tracesmith-wasm/engine_bg.wasm'))",
    bytes: 'await init(bytes)',
    'an answer': "await init(new Response(bytes, { headers: { 'Content-Type': 'application/wasm' } }))",
    'a promise of an answer': 'await init(Promise.resolve(new Response(bytes)))',
    'a compiled module': 'await init(await WebAssembly.compile(bytes))',
    'bytes, at once': 'initSync(bytes)',
    'a compiled module, at once': 'initSync(new WebAssembly.Module(bytes))',
  };
  for (const [name, way] of Object.entries(WAYS)) {
    test(name, async () => {
      const folder = project('node');
      const code = `import { readFile } from 'node:fs/promises';
        import { init, initSync, traceSync } from 'tracesmith-wasm';
        const bytes = await readFile(new URL(import.meta.resolve('tracesmith-wasm/engine_bg.wasm')));
        ${way};
        console.log(traceSync({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) }));`;
      writeFileSync(join(folder, 'way.mjs'), code);
      assert.match(await node(folder, 'way.mjs'), /^<svg /);
    });
  }

  const isX64 = process.arch === 'x64';
  test('where there is no SIMD, the error says so', {
    skip: !isX64 && 'V8 can leave it out on x64',
  }, async () => {
    const folder = project('node');
    const code = `import { init, initSync } from 'tracesmith-wasm';
      const told = ({ code, message }) => console.log(code, message);
      await init().catch(told);
      try { initSync(new Uint8Array(8)); } catch (error) { told(error); }`;
    writeFileSync(join(folder, 'simd.mjs'), code);
    const said = await node(folder, '--no-enable-sse4-1', 'simd.mjs');
    assert.equal(said.match(/^engine_unavailable .*no WebAssembly SIMD/gm)?.length, 2, said);
  });
});

test('its types serve both ways in which TypeScript resolves them', async () => {
  const folder = project('node');
  const code = `import { init, type Options, optionTable, trace, TracesmithError } from 'tracesmith-wasm';
    const options: Options = { mode: 'polygon' };
    // @ts-expect-error There is no such mode.
    const wrong: Options = { mode: 'polygons' };
    await init(new URL('https://a.example/engine_bg.wasm'));
    const svg: string = await trace(new ImageData(1, 1), options);
    console.log(svg, optionTable.length, wrong, TracesmithError);`;
  writeFileSync(join(folder, 'types.mts'), code);
  const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
  const strict = [
    '--ignoreConfig',
    '--noEmit',
    '--strict',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--types',
    '',
  ];
  for (const [module, resolution] of [
    ['esnext', 'bundler'],
    ['nodenext', 'nodenext'],
  ] as const) {
    await node(folder, tsc, ...strict, '--module', module, '--moduleResolution', resolution, 'types.mts');
  }
});
