// Builds the WebAssembly package: two modules, and one surface for both.
import { copyFileSync, cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  cache,
  output,
  pathWith,
  root,
  runTogether,
  StepFailed,
  say,
  type Together,
} from '../lib/command.ts';
import { compileSurface } from '../package/compile-surface.ts';
import { stampOf } from '../package/freshness.ts';
import { copyLicenses, writeNotices } from '../package/notices.ts';
import { remapping } from '../package/remap-paths.ts';
import { ensureWasmTools, toolsBin } from '../setup/cargo-tools.ts';
import { type Rust, WASM_TARGET } from '../setup/rust-toolchain.ts';
import { optimize } from './optimize.ts';
import { shorten } from './shorten.ts';
import { trapPanics } from './trap-panics.ts';

/** The JavaScript around a module. It is the same for both, so the package has it once. */
const GLUE = ['engine.js', 'engine.d.ts', 'engine_bg.wasm.d.ts'];
/** As wasm-bindgen names it. */
const MODULE = 'engine_bg.wasm';
/** A module cannot print the source locations and values in panic messages, which would be 7 % of it. */
const WITHOUT_PANIC_DETAILS = ['-Zlocation-detail=none', '-Zfmt-debug=none'];
const glueFolder = join(cache, 'glue');

/** The modules of the package: the one that pages embed, and one that can do more. */
const MODULES = [
  { file: MODULE, features: [], folder: glueFolder },
  { file: 'engine_gradients_bg.wasm', features: ['gradients'], folder: join(cache, 'glue-gradients') },
];

/** Compiles the engine, without gradients and with, and its JavaScript glue. Linking takes most of the time, and one processor: both at once. */
export async function buildModules(rust: Rust): Promise<void> {
  ensureWasmTools(rust);
  say('Building the engine for WebAssembly');
  await runTogether(MODULES.map((module) => compilation(rust, module)));
  for (const { folder } of MODULES) finish(folder);
  for (const { folder } of MODULES)
    for (const name of GLUE) {
      const [one, other] = [glueFolder, folder].map((folder) => readFileSync(join(folder, name), 'utf8'));
      if (one !== other) throw new StepFailed(`${name} depends on the features of the engine`);
    }
}

/** How wasm-pack compiles the engine with some features, and its glue. */
function compilation(rust: Rust, { features, folder }: (typeof MODULES)[number]): Together {
  rmSync(folder, { recursive: true, force: true });
  const glue = ['--target', 'web', '--no-pack', '--out-name', 'engine', '--out-dir', folder];
  const rustflags = [...remapping(rust, WASM_TARGET), ...WITHOUT_PANIC_DETAILS];
  const flags = `target.${WASM_TARGET}.rustflags=${JSON.stringify(rustflags)}`;
  // wasm-pack takes the compiler of its working directory, so it runs in the crate's folder. Cargo adds these flags to those of
  // .cargo/config.toml.
  const cargo = ['--locked', '--config', flags, '--features', features.join()];
  return {
    name: ['The engine', ...features].join(' with '),
    command: join(toolsBin, 'wasm-pack'),
    args: ['build', '--release', ...glue, '--', ...cargo],
    settings: {
      cwd: join(root, 'bindings', 'wasm'),
      env: {
        ...rust.env,
        // Allows -Z flags for this build alone.
        RUSTC_BOOTSTRAP: '1',
        // Two builds in one folder would wait for each other.
        CARGO_TARGET_DIR: `${folder}-target`,
        PATH: pathWith(toolsBin, rust.env.PATH ?? ''),
      },
    },
  };
}

/** Makes a compiled module small and fast, and its glue ready for several instances. */
function finish(folder: string): void {
  const module = join(folder, MODULE);
  trapPanics(module);
  optimize(module, { names: true });
  shorten(module);
  const glue = join(folder, 'engine.js');
  writeFileSync(glue, allowNewInstance(readFileSync(glue, 'utf8')));
}

/** wasm-bindgen's initSync returns the first instance again; after a trap, the surface needs a new one. */
function allowNewInstance(glue: string): string {
  const once = 'function initSync(module) {\n    if (wasm !== undefined) return wasm;\n';
  if (!glue.includes(once))
    throw new StepFailed("wasm-bindgen's initSync has changed: adapt scripts/wasm/build-package.ts");
  return glue.replace(once, 'function initSync(module) {\n');
}

/** The option table of the engine that buildModules built, as JSON. */
export function optionTable(): string {
  const script = `import { readFileSync } from 'node:fs';
    const [folder] = process.argv.slice(1);
    const glue = await import(folder + 'engine.js');
    glue.initSync({ module: readFileSync(new URL(folder + '${MODULE}')) });
    console.log(glue.option_table());`;
  const folder = new URL(`file://${glueFolder.replaceAll('\\', '/')}/`).href;
  const table = output(process.execPath, ['--input-type=module', '-e', script, '--', folder]);
  if (table === undefined) throw new StepFailed('the new WebAssembly module does not load');
  return table;
}

/** Assembles the package in a staging folder, then replaces `folder` with it. */
export function assemble(folder: string, rust: Rust): void {
  const staging = join(cache, 'staging');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  compileSurface('wasm', staging);
  for (const name of GLUE) copyFileSync(join(glueFolder, name), join(staging, name));
  for (const { file, folder } of MODULES) copyFileSync(join(folder, MODULE), join(staging, file));
  copyLicenses(staging);
  writeNotices(staging, 'wasm', WASM_TARGET, rust);
  copyFileSync(join(root, 'bindings', 'wasm', 'README.md'), join(staging, 'README.md'));
  writeJson(join(staging, 'package.json'), description(readdirSync(staging)));
  writeJson(join(staging, 'stamp.json'), stampOf(staging, rust.version));
  rmSync(folder, { recursive: true, force: true });
  cpSync(staging, folder, { recursive: true });
}

function description(files: string[]): object {
  const workspace = JSON.parse(readFileSync(join(root, 'bindings', 'wasm', 'package.json'), 'utf8'));
  const { name, version, type, license, engines } = workspace;
  const text = 'Raster image to SVG, in WebAssembly: browsers, workers, Node.js, Deno, edge run times';
  const exports = {
    '.': { types: './index.d.ts', default: './index.js' },
    './tracer': { types: './tracer.d.ts', default: './tracer.js' },
    './tracer-worker.js': './tracer-worker.js',
    ...Object.fromEntries(MODULES.map(({ file }) => [`./${file}`, `./${file}`])),
    './package.json': './package.json',
  };
  return {
    name,
    version,
    description: text,
    type,
    license,
    engines,
    keywords: ['svg', 'vectorize', 'trace', 'image', 'wasm'],
    exports,
    files: files.sort(),
    sideEffects: ['./tracer-worker.js'],
  };
}

function writeJson(file: string, value: unknown): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
