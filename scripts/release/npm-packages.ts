// Packs the npm packages as they are published, each as a .tgz file.
import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { parseTriple } from '@napi-rs/cli';
import { cache, output, root, runNode, StepFailed } from '../lib/command.ts';
import { copyLicenses, LICENSES, NOTICES, writeNotices } from '../package/notices.ts';
import { findRust } from '../setup/rust-toolchain.ts';

const addonFolder = join(root, 'bindings', 'node');
const staging = join(cache, 'native-package');

/** Packs a folder into `to`; returns the path of the file. */
export function pack(folder: string, to: string): string {
  mkdirSync(to, { recursive: true });
  const packed = output('npm', ['pack', '--silent', '--pack-destination', to], { cwd: folder });
  if (packed === undefined) throw new StepFailed(`npm pack failed in ${folder}`);
  return join(to, basename(packed));
}

/** The target of each addon that the native package supports, by the file name that @napi-rs/cli gives it. */
export function targets(): Map<string, string> {
  const { napi } = JSON.parse(readFileSync(join(addonFolder, 'package.json'), 'utf8'));
  const triples = napi.targets as string[];
  return new Map(triples.map((triple) => [`tracesmith.${parseTriple(triple).platformArchABI}.node`, triple]));
}

/** The addons in a folder; by default, the one built for this machine. */
export function addonsIn(folder = addonFolder): string[] {
  const known = targets();
  return readdirSync(folder)
    .filter((name) => known.has(name))
    .map((name) => join(folder, name));
}

/**
 * Packs the native package and one package for each addon. @napi-rs/cli writes the platform packages and adds them to the
 * main one as optional dependencies.
 */
export function packNative(addons: string[], to: string): string[] {
  const rust = findRust();
  if (rust === undefined) throw new StepFailed('packing the addon needs Rust, to list the crates in it');
  rmSync(staging, { recursive: true, force: true });
  mkdirSync(join(staging, 'artifacts'), { recursive: true });
  for (const name of ['dist', 'loader.cjs', 'README.md'])
    cpSync(join(addonFolder, name), join(staging, name), { recursive: true });
  for (const file of addons) copyFileSync(file, join(staging, 'artifacts', basename(file)));
  const { private: _, ...manifest } = JSON.parse(readFileSync(join(addonFolder, 'package.json'), 'utf8'));
  const known = targets();
  // npm would look for every package named here, so only those that are packed are.
  manifest.dependencies = { 'tracesmith-wasm': manifest.version };
  manifest.napi.targets = addons.map((file) => known.get(basename(file)));
  writeFileSync(join(staging, 'package.json'), `${JSON.stringify(manifest, undefined, 2)}\n`);
  const napi = (...args: string[]) => runNode('@napi-rs/cli/dist/cli.js', args, { cwd: staging });
  napi('create-npm-dirs');
  napi('artifacts', '--output-dir', 'artifacts');
  napi('pre-publish', '--tag-style', 'npm', '--skip-optional-publish', '--no-gh-release');
  const platforms = readdirSync(join(staging, 'npm')).map((name) => join(staging, 'npm', name));
  addLegal(staging, LICENSES);
  for (const folder of platforms) {
    const addon = `tracesmith.${basename(folder)}.node`;
    writeNotices(folder, 'node', known.get(addon) ?? '', rust);
    // The loader refuses an addon that is smaller: loading a truncated library ends the process.
    const addonBytes = statSync(join(folder, addon)).size;
    addLegal(folder, [...LICENSES, NOTICES], { addonBytes });
  }
  return [staging, ...platforms].map((folder) => pack(folder, to));
}

/** Copies the licenses, adds `names` to the files that npm packs, and adds `fields` to the manifest. */
function addLegal(folder: string, names: string[], fields: object = {}): void {
  const file = join(folder, 'package.json');
  const manifest = JSON.parse(readFileSync(file, 'utf8'));
  manifest.files.push(...names);
  Object.assign(manifest, fields);
  writeFileSync(file, `${JSON.stringify(manifest, undefined, 2)}\n`);
  copyLicenses(folder);
}

export const isNativeBuilt = () => existsSync(join(addonFolder, 'loader.cjs')) && addonsIn().length > 0;
