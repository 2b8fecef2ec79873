// Programs that `cargo install` provides. They are installed in the project, so that the machine's own stay as they are.
import { existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, output, root, run, StepFailed, say } from '../lib/command.ts';
import { findRust, type Rust } from './rust-toolchain.ts';

/** A program that `cargo install` builds. */
interface Tool {
  crate: string;
  version: string;
  program: string;
  flags?: string[];
  /** The crates that it spends its time in. Optimizing the others takes longer than it saves. */
  optimized?: string[];
}

const WASM_BINDGEN = {
  crate: 'wasm-bindgen-cli',
  program: 'wasm-bindgen',
  // Only its test runner needs TLS.
  flags: ['--no-default-features'],
};
const WASM_PACK: Tool = { crate: 'wasm-pack', version: '0.15.1', program: 'wasm-pack' };
const CARGO_ABOUT: Tool = {
  crate: 'cargo-about',
  version: '0.9.3',
  program: 'cargo-about',
  // Its program is built with this feature only; without it, cargo installs nothing and reports success.
  flags: ['--features', 'cli'],
  // They compare the files of all crates with the texts of all licenses.
  optimized: ['spdx', 'regex-automata'],
};

/** Optimizing takes minutes, and cargo-about's own profile optimizes once more while it links. */
const QUICKLY_BUILT = {
  CARGO_PROFILE_RELEASE_DEBUG: '0',
  CARGO_PROFILE_RELEASE_LTO: 'off',
  CARGO_PROFILE_RELEASE_OPT_LEVEL: '0',
};

const folder = join(cache, 'tools');
export const toolsBin = join(folder, 'bin');

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
  // wasm-bindgen must be exactly the version of the crate.
  ensureTool({ ...WASM_BINDGEN, version: lockedCrate('wasm-bindgen') }, rust);
  ensureTool(WASM_PACK, rust);
  // It is large, and useful only while both are being built.
  rmSync(join(folder, 'target'), { recursive: true, force: true });
}

export function ensureCargoAbout(rust: Rust): void {
  ensureTool(CARGO_ABOUT, rust);
  rmSync(join(folder, 'target'), { recursive: true, force: true });
}

function ensureTool({ crate, version, program, flags = [], optimized = [] }: Tool, rust: Rust): void {
  const file = join(toolsBin, process.platform === 'win32' ? `${program}.exe` : program);
  if (existsSync(file) && output(file, ['--version'])?.split(' ')[1] === version) return;
  say(`cargo install ${crate} ${version} (once; takes a minute or two)`);
  mkdirSync(folder, { recursive: true });
  const what = [crate, '--version', version, '--bin', program, ...flags];
  const levels = optimized.flatMap((crate) => ['--config', `profile.release.package.${crate}.opt-level=2`]);
  const install = ['install', ...what, '--locked', '--force', '--root', folder];
  // Any compiler will do, and the usual one is the fastest.
  const env = { ...(findRust() ?? rust).env, CARGO_TARGET_DIR: join(folder, 'target') };
  run('cargo', [...install, ...levels, '--quiet'], {
    cwd: folder,
    env: { ...env, ...QUICKLY_BUILT },
    advice: `Is the crate registry reachable? By hand: cargo ${install.join(' ')}`,
  });
}
