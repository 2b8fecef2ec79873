// Tells whether a WebAssembly build matches its sources, from the stamp in it. This needs no Rust compiler.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join, sep } from 'node:path';
import { root } from '../lib/command.ts';
import { lockedCrate, lockedPackage } from '../setup/cargo-tools.ts';

export interface Stamp {
  /** SHA-256 of the names and contents of all sources. */
  sources: string;
  rustc: string;
  tools: Record<string, string>;
  /** SHA-256 of each file of the build. */
  files: Record<string, string>;
}

export const committedPackage = join(root, 'bindings', 'wasm', 'pkg');
export const committedPng = join(root, 'host', 'image', 'png');

const PACKAGE_SOURCES = [
  '.cargo/config.toml',
  'Cargo.lock',
  'Cargo.toml',
  'bindings/rust',
  'bindings/surface/shared',
  'bindings/surface/wasm',
  'bindings/wasm/Cargo.toml',
  'bindings/wasm/README.md',
  'bindings/wasm/build.rs',
  'bindings/wasm/src',
  'engine/Cargo.toml',
  'engine/src',
  'scripts/package/about.hbs',
  'scripts/package/about.toml',
  'scripts/package/notices.ts',
  'scripts/wasm/optimize.ts',
  'scripts/package/remap-paths.ts',
  'scripts/wasm/build-package.ts',
  'scripts/wasm/short-constants.ts',
  'scripts/wasm/short-drops.ts',
  'scripts/wasm/shorten.ts',
  'scripts/wasm/trap-panics.ts',
];

export const PNG_SOURCES = [
  'Cargo.lock',
  'Cargo.toml',
  'bindings/png',
  'scripts/package/about.hbs',
  'scripts/package/about.toml',
  'scripts/package/notices.ts',
  'scripts/wasm/optimize.ts',
  'scripts/package/remap-paths.ts',
  'scripts/wasm/build-png.ts',
];

export function stampOf(folder: string, rustc: string, sources = PACKAGE_SOURCES): Stamp {
  const names = filesUnder(folder).filter((name) => name !== 'stamp.json');
  const files = Object.fromEntries(names.map((name) => [name, hash([contents(join(folder, name))])]));
  return { sources: sourcesHash(sources), rustc, tools: tools(), files };
}

export function readStamp(folder: string): Stamp | undefined {
  const file = join(folder, 'stamp.json');
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
}

/** Why a build does not match its sources; undefined if it does. */
export function staleness(folder: string, sources = PACKAGE_SOURCES): string | undefined {
  const stamp = readStamp(folder);
  if (stamp === undefined) return 'it has no stamp.json';
  const now = stampOf(folder, stamp.rustc, sources);
  if (now.sources !== stamp.sources) return 'its sources have changed since it was built';
  if (JSON.stringify(now.tools) !== JSON.stringify(stamp.tools)) return 'a build tool has another version';
  const names = new Set([...Object.keys(now.files), ...Object.keys(stamp.files)]);
  const altered = [...names].filter((name) => now.files[name] !== stamp.files[name]);
  return altered.length === 0
    ? undefined
    : `these files have changed since it was built: ${altered.join(', ')}`;
}

function tools(): Record<string, string> {
  return {
    'wasm-bindgen': lockedCrate('wasm-bindgen'),
    'wasm-opt': lockedPackage('binaryen'),
    typescript: lockedPackage('typescript'),
  };
}

function sourcesHash(sources: readonly string[]): string {
  const files = sources.flatMap((path) => {
    const source = join(root, path);
    return statSync(source).isFile() ? [path] : filesUnder(source).map((name) => `${path}/${name}`);
  });
  return hash(files.sort().flatMap((file) => [file, contents(join(root, file))]));
}

/** Sorted paths relative to the folder, with forward slashes on all systems. */
function filesUnder(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => statSync(join(folder, name)).isFile());
  return files.map((name) => name.replaceAll(sep, '/')).sort();
}

/** Git may check text out with Windows line endings. */
function contents(file: string): string | Buffer {
  const bytes = readFileSync(file);
  return file.endsWith('.wasm') ? bytes : bytes.toString('utf8').replaceAll('\r\n', '\n');
}

function hash(parts: (string | Buffer)[]): string {
  const digest = createHash('sha256');
  for (const part of parts) digest.update(part).update('\0');
  return digest.digest('hex');
}
