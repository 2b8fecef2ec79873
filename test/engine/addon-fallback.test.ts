// The native package where its addon is, is not, is damaged, or is another machine's.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as wasm from 'tracesmith-wasm';

const source = fileURLToPath(new URL('../../bindings/node/', import.meta.url));
const skip = process.env.TRACESMITH_NATIVE === '' ? 'the native engine was not built' : false;
const addon = readdirSync(source).find((name) => name.endsWith('.node')) ?? '';
const modules = join(mkdtempSync(join(tmpdir(), 'tracesmith-')), 'node_modules');
const installed = join(modules, 'tracesmith-native');

/** Puts the package in place as npm would, without its addon. */
function install(version?: string): void {
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  cpSync(join(source, 'dist'), join(installed, 'dist'), { recursive: true });
  cpSync(join(source, 'loader.cjs'), join(installed, 'loader.cjs'));
  const manifest = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ ...manifest, version: version ?? manifest.version }),
  );
  const engine = new URL('.', process.env.TRACESMITH_WASM || import.meta.resolve('tracesmith-wasm'));
  symlinkSync(fileURLToPath(engine), join(modules, 'tracesmith-wasm'), 'junction');
}

const bytes = () => readFileSync(join(source, addon));
const put = (content: Uint8Array | string) => writeFileSync(join(installed, addon), content);

/** The package of a platform, with an addon that says whose it is. */
function putPlatform(suffix: string, main: string): void {
  const folder = join(modules, `tracesmith-native-${suffix}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.1.0', main }));
  if (main === addon) cpSync(join(source, addon), join(folder, addon));
  else
    writeFileSync(
      join(folder, main),
      `exports.version = () => '${wasm.version()}'; exports.traceSync = () => '${suffix}';`,
    );
}

interface Said {
  engine: string;
  problem: string | undefined;
  svg: string;
  later: string;
  code: string;
  stopped: string;
  version: string;
}

/** What a program says that uses the package; `preload` is run before it. */
function use(preload = ''): Said {
  const program = join(modules, 'use.mjs');
  writeFileSync(join(modules, 'preload.cjs'), preload);
  writeFileSync(
    program,
    `import { engine, init, nativeProblem, trace, traceSync, TracesmithError, version } from 'tracesmith-native';
    const image = { width: 2, height: 1, data: Uint8Array.of(1, 2, 3, 255, 200, 100, 50, 255) };
    const codeOf = (error) => (error instanceof TracesmithError ? error.code : String(error));
    const codes = (run) => { try { run(); } catch (error) { return codeOf(error); } };
    await init();
    console.log(JSON.stringify({
      engine, problem: nativeProblem?.message, version: version(), svg: traceSync(image),
      later: await trace?.(image)?.catch?.(codeOf) ?? '',
      code: codes(() => traceSync({ width: 70000, height: 1, data: new Uint8Array(280000) })),
      stopped: await trace(image, {}, { signal: AbortSignal.abort('enough') }).catch(String),
    }));`,
  );
  const args = ['--require', join(modules, 'preload.cjs'), program];
  const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

function isWhole(said: Said): void {
  const data = Uint8Array.of(1, 2, 3, 255, 200, 100, 50, 255);
  const svg = wasm.traceSync({ width: 2, height: 1, data });
  const { engine: _, problem: __, ...rest } = said;
  assert.deepEqual(rest, {
    version: wasm.version(),
    svg,
    later: svg,
    code: 'invalid_dimensions',
    stopped: 'enough',
  });
}

describe('the native package', { skip }, () => {
  before(() => wasm.init());
  beforeEach(() => install());
  after(() => rmSync(join(modules, '..'), { recursive: true, force: true }));

  test('uses the addon beside it', () => {
    put(bytes());
    const said = use();
    assert.deepEqual([said.engine, said.problem], ['native', undefined]);
    isWhole(said);
  });

  test('uses the addon of its platform’s package', () => {
    putPlatform(addon.split('.')[1] ?? '', addon);
    const said = use();
    assert.equal(said.engine, 'native', said.problem);
    isWhole(said);
  });

  const absent: [string, () => void][] = [
    ['there is no addon', () => {}],
    ['the addon is empty', () => put('')],
    ['the addon is no library', () => put('not a library at all')],
    ['the addon is cut off in its head', () => put(bytes().subarray(0, 1000))],
    ['half of the addon is missing', () => put(bytes().subarray(0, bytes().length / 2))],
    ['the addon is overwritten with zeros from the middle on', () => put(bytes().fill(0, 64))],
    ['the addon is a folder', () => mkdirSync(join(installed, addon))],
  ];
  for (const [name, damage] of absent) {
    test(`uses WebAssembly where ${name}`, () => {
      damage();
      const said = use();
      assert.equal(said.engine, 'wasm');
      assert.equal(said.problem, 'there is no native engine that runs here');
      isWhole(said);
    });
  }

  test('uses WebAssembly where the addon is of another version', () => {
    install('9.9.9');
    put(bytes());
    const said = use();
    assert.equal(said.problem, `the addon is of version ${wasm.version()}, the package of 9.9.9`);
    assert.equal(said.engine, 'wasm');
    isWhole(said);
  });

  test('uses its platform’s package where the addon beside it is damaged', () => {
    put('not a library at all');
    putPlatform(addon.split('.')[1] ?? '', addon);
    assert.equal(use().engine, 'native');
  });
});

describe('the machine', { skip }, () => {
  const MACHINES = [
    ['linux', 'x64', 'glibc', 'linux-x64-gnu'],
    ['linux', 'x64', 'musl', 'linux-x64-musl'],
    ['linux', 'arm64', 'glibc', 'linux-arm64-gnu'],
    ['linux', 'arm64', 'musl', 'linux-arm64-musl'],
    ['darwin', 'x64', '', 'darwin-x64'],
    ['darwin', 'arm64', '', 'darwin-arm64'],
    ['win32', 'x64', '', 'win32-x64-msvc'],
    ['win32', 'arm64', '', 'win32-arm64-msvc'],
  ] as const;

  /** Makes Node.js say that it runs elsewhere. `ldd` is a script that names its C library; without it the report tells. */
  const pretend = (platform: string, arch: string, libc: string, hasLdd: boolean) => `
    Object.defineProperties(process, { platform: { value: '${platform}' }, arch: { value: '${arch}' } });
    const fs = require('node:fs');
    const read = fs.readFileSync;
    fs.readFileSync = (file, ...rest) => {
      if (file !== '/usr/bin/ldd') return read(file, ...rest);
      if (!${hasLdd}) throw new Error('ENOENT');
      return '${libc === 'musl' ? 'musl libc' : 'GNU libc'}';
    };
    process.report.getReport = () => (${
      libc === 'musl'
        ? "{ header: {}, sharedObjects: ['/lib/ld-musl-x86_64.so.1'] }"
        : "{ header: { glibcVersionRuntime: '2.36' }, sharedObjects: [] }"
    });`;

  for (const [platform, arch, libc, suffix] of MACHINES) {
    for (const hasLdd of platform === 'linux' ? [true, false] : [false]) {
      test(`${platform} ${arch} ${libc}${hasLdd ? ', by ldd' : ''} has the package ${suffix}`, () => {
        install();
        for (const machine of MACHINES) putPlatform(machine[3], 'index.js');
        writeFileSync(join(modules, 'preload.cjs'), pretend(platform, arch, libc, hasLdd));
        const code =
          "import { engine, traceSync } from 'tracesmith-native'; const data = new Uint8Array(4);" +
          'console.log(engine, traceSync({ width: 1, height: 1, data }))';
        writeFileSync(join(modules, 'which.mjs'), code);
        const args = ['--require', join(modules, 'preload.cjs'), join(modules, 'which.mjs')];
        const { stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', timeout: 60_000 });
        assert.equal(stdout.trim(), `native ${suffix}`, stderr);
      });
    }
  }
});
