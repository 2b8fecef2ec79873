// Builds the folder of the service: everything that `node main.js` needs, and nothing that it has to install.
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { type BuildOptions, build, type Metafile } from 'esbuild';
import { buildSite } from '../../host/site/build.ts';
import { SERVICE_LINKS } from '../../host/site/files.ts';
import { cache, root, StepFailed } from '../lib/command.ts';
import { copyLicenses, NOTICES } from '../package/notices.ts';
import { closureOf, type Lock, lockOf } from './lock-file.ts';

export const serviceFolder = join(root, 'dist', 'service');

/** The only package that cannot be bundled: it has binaries. */
const NATIVE = 'sharp';
/** The module that the worker threads load. */
const ENGINE = 'engine_gradients_bg.wasm';
const host = (path: string) => join(root, 'host', path);

/** Piscina starts the file `worker.js` beside its own code as a thread, which then loads ours. */
const ENTRIES = {
  main: host('main.ts'),
  keys: host('cli/keys/main.ts'),
  'tracing/worker': host('tracing/worker.mjs'),
  worker: join(root, 'node_modules', 'piscina', 'dist', 'worker.js'),
};
/** Files that the service reads at run time, by their paths in host/. */
const ASSETS = ['styles/theme.css', 'openapi/docs-page.css', 'playground/sample.png', 'image/png/png.wasm'];

/** Bundled CommonJS packages use names that ES modules lack. */
const COMMONJS = [
  "import { createRequire as __createRequire } from 'node:module';",
  'const require = __createRequire(import.meta.url);',
  'const __dirname = import.meta.dirname;',
].join('\n');

const BUNDLE: BuildOptions = {
  bundle: true,
  splitting: true,
  // One instance of each module per thread: Piscina and the worker share state.
  chunkNames: '[name]-[hash]',
  format: 'esm',
  platform: 'node',
  target: 'node20.16',
  conditions: ['bundled'],
  // Only the command line uses the addon; Piscina loads @napi-rs/nice only for threads of low priority.
  external: [NATIVE, 'tracesmith-native', '@napi-rs/nice'],
  banner: { js: COMMONJS },
  sourcemap: true,
  sourcesContent: false,
  legalComments: 'none',
  metafile: true,
  logLevel: 'error',
};

/** Builds the service for tests. With the variable that this returns, they start it from there. */
export async function buildServiceForTests(): Promise<{ TRACESMITH_BUILT_SERVICE: string }> {
  const folder = join(cache, 'service');
  await buildService(folder);
  return { TRACESMITH_BUILT_SERVICE: folder };
}

/** Builds the service into `folder`, and replaces an earlier build there. Needs the packages of `npm ci`, and no network. */
export async function buildService(folder: string): Promise<void> {
  assertReplaceable(folder);
  const staging = `${folder}.new`;
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(staging, { recursive: true });
  const metafile = await bundle(staging);
  for (const path of ASSETS) copy(host(path), join(staging, path));
  await writeSite(join(staging, 'site'));
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  writePackage(staging, lock);
  // Binaries for other platforms are in the lock file, but not installed.
  for (const path of closureOf(lock, NATIVE, (path) => existsSync(join(root, path))))
    cpSync(join(root, path), join(staging, path), { recursive: true, dereference: true });
  writeNotices(staging, bundledPackages(metafile));
  rmSync(folder, { recursive: true, force: true });
  renameSync(staging, folder);
}

/** Replacing a folder deletes it, so it must hold a build or nothing. */
function assertReplaceable(folder: string): void {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  if (names.length === 0 || ['main.js', 'keys.js', 'worker.js'].every((name) => names.includes(name))) return;
  throw new StepFailed(`${folder} holds other files. Name a new folder, or that of an earlier build.`);
}

async function bundle(folder: string): Promise<Metafile> {
  const { metafile } = await build({ ...BUNDLE, absWorkingDir: root, entryPoints: ENTRIES, outdir: folder });
  if (metafile === undefined) throw new StepFailed('esbuild gave no metafile');
  // esbuild has one extension for all bundles.
  renameSync(join(folder, 'tracing', 'worker.js'), join(folder, 'tracing', 'worker.mjs'));
  // These three find files beside their own code.
  const engine = folderOf(metafile, 'bindings/wasm/pkg/index.js');
  copy(join(root, 'bindings', 'wasm', 'pkg', ENGINE), join(engine, ENGINE));
  for (const module of ['node_modules/piscina/dist/index.js', 'host/files/bundled-host-folder.ts'])
    if (folderOf(metafile, module) !== folder) throw new StepFailed(`${module} is not bundled at the top`);
  return metafile;
}

/** The folder of the bundle that contains a module. */
function folderOf({ outputs }: Metafile, module: string): string {
  const found = Object.entries(outputs).filter(([, { inputs }]) => Object.hasOwn(inputs, module));
  const [output, second] = found.map(([path]) => path);
  if (output === undefined || second !== undefined)
    throw new StepFailed(`${module} must be in one bundle, not in ${found.length}`);
  return dirname(join(root, output));
}

async function writeSite(folder: string): Promise<void> {
  for (const [path, { bytes, gzipped }] of await buildSite(SERVICE_LINKS)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, bytes);
    writeFileSync(`${file}.gz`, gzipped);
  }
}

/** package.json and its lock file: `npm ci --omit=dev` installs the same version of sharp for another platform. */
function writePackage(folder: string, lock: Lock): void {
  const { version, license, engines } = JSON.parse(readFileSync(host('package.json'), 'utf8'));
  const dependencies = { [NATIVE]: lock.packages[`node_modules/${NATIVE}`]?.version };
  const description = {
    name: 'tracesmith-service',
    version,
    private: true,
    type: 'module',
    license,
    engines,
    dependencies,
  };
  writeJson(join(folder, 'package.json'), description);
  writeJson(join(folder, 'package-lock.json'), lockOf(lock, NATIVE, description));
}

/** The folders of the npm packages whose code is in the bundles. */
function bundledPackages({ inputs }: Metafile): string[] {
  const folders = Object.keys(inputs).map((path) => /^.*node_modules\/(@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  return [...new Set(folders.filter((path) => path !== undefined))].sort();
}

/** Writes the licenses of all bundled packages and of the crates in the WebAssembly modules. */
function writeNotices(folder: string, packages: string[]): void {
  copyLicenses(folder);
  const texts = packages.map((path) => {
    const { name, version, license, licenses } = JSON.parse(
      readFileSync(join(root, path, 'package.json'), 'utf8'),
    );
    const file = readdirSync(join(root, path)).find((file) => /^licen[cs]e/i.test(file));
    if (file === undefined) throw new StepFailed(`${path} has no license file`);
    return `${name} ${version} (${license ?? licenses[0].type})\n\n${readFileSync(join(root, path, file), 'utf8').trim()}\n`;
  });
  const modules = [join(root, 'bindings', 'wasm', 'pkg'), host('image/png')];
  const crates = modules.map((module) => readFileSync(join(module, NOTICES), 'utf8'));
  writeFileSync(join(folder, NOTICES), [...texts, ...crates].join(`\n${'-'.repeat(80)}\n\n`));
}

function copy(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(from, to);
}

function writeJson(file: string, value: object): void {
  writeFileSync(file, `${JSON.stringify(value, undefined, 2)}\n`);
}
