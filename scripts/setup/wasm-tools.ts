import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, output, root, run, StepFailed, say } from '../lib/command.ts';
import { findRust, type Rust } from './rust-toolchain.ts';

const WASM_PACK_VERSION = '0.15.1';

/** Where wasm-pack and wasm-bindgen go: a folder of the project, so that a machine's own stay as they are. */
export const toolsBin = join(cache, 'tools', 'bin');

/** The version of a crate in Cargo.lock. */
export function lockedCrate(name: string): string {
  const lock = readFileSync(join(root, 'Cargo.lock'), 'utf8').replaceAll('\r', '');
  const version = lock.split(`name = "${name}"\nversion = "`)[1]?.split('"')[0];
  if (version === undefined) throw new StepFailed(`Cargo.lock has no ${name}`);
  return version;
}

/** The version of an npm package in package-lock.json. */
export function lockedPackage(name: string): string {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  return lock.packages[`node_modules/${name}`].version;
}

export function ensureWasmTools(rust: Rust): void {
  // The machine's usual compiler where there is one: it is the faster of the two.
  const builder = findRust() ?? rust;
  cargoInstall('wasm-bindgen-cli', lockedCrate('wasm-bindgen'), 'wasm-bindgen', builder);
  cargoInstall('wasm-pack', WASM_PACK_VERSION, 'wasm-pack', builder);
  // Shared between the two, of no use afterwards, and large.
  rmSync(join(cache, 'tools', 'target'), { recursive: true, force: true });
}

function cargoInstall(crate: string, version: string, program: string, rust: Rust): void {
  const file = join(toolsBin, process.platform === 'win32' ? `${program}.exe` : program);
  if (existsSync(file) && output(file, ['--version'])?.split(' ')[1] === version) return;
  say(`cargo install ${crate} ${version} (once, a minute or two)`);
  const folder = join(cache, 'tools');
  mkdirSync(folder, { recursive: true });
  run('cargo', ['install', crate, '--version', version, '--locked', '--force', '--quiet', '--root', folder], {
    cwd: folder,
    env: { ...rust.env, CARGO_TARGET_DIR: join(folder, 'target'), CARGO_PROFILE_RELEASE_DEBUG: '0' },
    advice: `is the crate registry in reach? By hand: cargo install ${crate} --version ${version} --locked --root ${folder}`,
  });
}
