// Which engine the native package uses if its addon is present, missing, damaged, or for another platform.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import * as wasm from 'tracesmith-wasm';
import { addonFile, addonFolder, skipWithoutAddon } from './native.ts';

const addon = addonFile ?? '';
const thisPlatform = addon.split('.')[1] ?? '';
const modules = join(mkdtempSync(join(tmpdir(), 'tracesmith-')), 'node_modules');
const installed = join(modules, 'tracesmith-native');

/** Installs the package as npm would, without an addon. */
function install(version?: string): void {
  rmSync(modules, { recursive: true, force: true });
  mkdirSync(installed, { recursive: true });
  cpSync(join(addonFolder, 'dist'), join(installed, 'dist'), { recursive: true });
  cpSync(join(addonFolder, 'loader.cjs'), join(installed, 'loader.cjs'));
  const manifest = JSON.parse(readFileSync(join(addonFolder, 'package.json'), 'utf8'));
  const optionalDependencies = { [`tracesmith-native-${thisPlatform}`]: manifest.version };
  writeFileSync(
    join(installed, 'package.json'),
    JSON.stringify({ ...manifest, version: version ?? manifest.version, optionalDependencies }),
  );
  const engine = new URL('.', process.env.TRACESMITH_WASM || import.meta.resolve('tracesmith-wasm'));
  symlinkSync(fileURLToPath(engine), join(modules, 'tracesmith-wasm'), 'junction');
}

const addonBytes = () => readFileSync(join(addonFolder, addon));
const putAddon = (content: Uint8Array | string) => writeFileSync(join(installed, addon), content);

/** Installs the package of a platform. */
function installPlatform(
  platform: string,
  manifest: { main: string; addonBytes?: number },
  file: Uint8Array | string,
) {
  const folder = join(modules, `tracesmith-native-${platform}`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '0.1.0', ...manifest }));
  writeFileSync(join(folder, manifest.main), file);
}

/** Installs this platform's package with its addon. */
function installAddon(bytes: Uint8Array = addonBytes()): void {
  installPlatform(thisPlatform, { main: addon, addonBytes: addonBytes().length }, bytes);
}

interface Output {
  engine: string;
  problem: string | undefined;
  svg: string;
  later: string;
  code: string;
  stopped: string;
  version: string;
}

/** Runs a program that uses the package. */
function runProgram(): Output {
  const program = join(modules, 'use.mjs');
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
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8', timeout: 60_000 });
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

function assertWorks(output: Output): void {
  const data = Uint8Array.of(1, 2, 3, 255, 200, 100, 50, 255);
  const svg = wasm.traceSync({ width: 2, height: 1, data });
  const { engine: _, problem: __, ...rest } = output;
  assert.deepEqual(rest, {
    version: wasm.version(),
    svg,
    later: svg,
    code: 'invalid_dimensions',
    stopped: 'enough',
  });
}

describe('the native package', { skip: skipWithoutAddon }, () => {
  before(() => wasm.init());
  beforeEach(() => install());
  after(() => rmSync(join(modules, '..'), { recursive: true, force: true }));

  test('uses the addon in its own folder', () => {
    putAddon(addonBytes());
    const output = runProgram();
    assert.deepEqual([output.engine, output.problem], ['native', undefined]);
    assertWorks(output);
  });

  test('uses the addon of the platform’s package', () => {
    installAddon();
    const output = runProgram();
    assert.equal(output.engine, 'native', output.problem);
    assertWorks(output);
  });

  const truncate = (bytes: number) => installAddon(addonBytes().subarray(0, bytes));
  const unusable: [string, () => void][] = [
    ['the addon is missing', () => {}],
    ['the addon is empty', () => putAddon('')],
    ['the addon is not a library', () => putAddon('not a library at all')],
    ['the addon is cut off in its header', () => truncate(1000)],
    ['half of the addon is missing', () => truncate(addonBytes().length / 2)],
    ['the addon is overwritten with zeros after its header', () => putAddon(addonBytes().fill(0, 64))],
    ['the addon is a folder', () => mkdirSync(join(installed, addon))],
  ];
  for (const [name, damage] of unusable) {
    test(`uses WebAssembly if ${name}`, () => {
      damage();
      const output = runProgram();
      assert.equal(output.engine, 'wasm');
      assert.equal(output.problem, 'no native addon could be loaded for this platform');
      assertWorks(output);
    });
  }

  test('uses WebAssembly if the addon has another version', () => {
    install('9.9.9');
    putAddon(addonBytes());
    const output = runProgram();
    assert.equal(output.problem, `the native addon has version ${wasm.version()}, the package has 9.9.9`);
    assert.equal(output.engine, 'wasm');
    assertWorks(output);
  });

  test('uses the platform’s package if the addon in its own folder is damaged', () => {
    putAddon('not a library at all');
    installAddon();
    assert.equal(runProgram().engine, 'native');
  });
});

describe('the platform', { skip: skipWithoutAddon }, () => {
  const PLATFORMS = [
    ['linux', 'x64', 'glibc', 'linux-x64-gnu'],
    ['linux', 'x64', 'musl', 'linux-x64-musl'],
    ['linux', 'arm64', 'glibc', 'linux-arm64-gnu'],
    ['linux', 'arm64', 'musl', 'linux-arm64-musl'],
    ['darwin', 'x64', '', 'darwin-x64'],
    ['darwin', 'arm64', '', 'darwin-arm64'],
    ['win32', 'x64', '', 'win32-x64-msvc'],
    ['win32', 'arm64', '', 'win32-arm64-msvc'],
  ] as const;

  /** Makes Node.js report another platform. The loader reads the C library from `/usr/bin/ldd`, or else from Node's report. */
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

  for (const [platform, arch, libc, suffix] of PLATFORMS) {
    for (const hasLdd of platform === 'linux' ? [true, false] : [false]) {
      test(`${platform} ${arch} ${libc}${hasLdd ? ', by ldd' : ''} uses the package ${suffix}`, () => {
        install();
        for (const [, , , other] of PLATFORMS) {
          const script = `exports.version = () => '${wasm.version()}'; exports.traceSync = () => '${other}';`;
          installPlatform(other, { main: 'index.js' }, script);
        }
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
