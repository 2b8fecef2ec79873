import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cache, output, pathWith, root, run, StepFailed } from '../lib/command.ts';

export const WASM_TARGET = 'wasm32-unknown-unknown';

/** A Rust compiler. */
export interface Rust {
  version: string;
  /** The environment in which `cargo` and `rustc` belong to it. */
  env: Record<string, string>;
}

/** The folder of cargo's downloads. */
export function cargoHome(): string {
  return process.env.CARGO_HOME ?? join(homedir(), '.cargo');
}

/** Downloads the dependencies for a target; returns the source folders, one for each registry. */
export function crateSources({ env }: Rust, target: string): string[] {
  run('cargo', ['fetch', '--locked', '--quiet', '--target', target], { env });
  const folder = join(cargoHome(), 'registry', 'src');
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The oldest supported compiler, from Cargo.toml. */
export function oldestRust(): string {
  return /^rust-version = "(.+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))?.[1] ?? '0';
}

/** The compiler on PATH, then Debian's: its cargo runs the first rustc on PATH, so its folder goes in front. */
function compilers(): Rust[] {
  const environments = [{}, ...(process.platform === 'linux' ? [{ PATH: pathWith('/usr/bin') }] : [])];
  return environments.map(probe).filter((rust) => rust !== undefined);
}

function probe(env: Record<string, string>): Rust | undefined {
  const version = output('rustc', ['--version'], { env });
  const number = /^rustc (\S+)/.exec(version ?? '')?.[1] ?? '0';
  const isRecent = number.localeCompare(oldestRust(), 'en', { numeric: true }) >= 0;
  if (version === undefined || !isRecent) return undefined;
  return output('cargo', ['--version'], { env }) === undefined ? undefined : { version, env };
}

/** A compiler that is recent enough, if the machine has one. */
export function findRust(): Rust | undefined {
  return compilers()[0];
}

/** A compiler that builds for WebAssembly, if the machine has one. */
export function findWasmRust(): Rust | undefined {
  return compilers().find(buildsWasm);
}

export function wasmRust(): Rust {
  const found = findWasmRust();
  if (found !== undefined) return found;
  throw new StepFailed(
    `no Rust compiler (${oldestRust()} or later) with the target ${WASM_TARGET} was found\n  npm run setup installs what is missing`,
  );
}

/** Links a small library, which fails without the target's standard library and without a linker. */
function buildsWasm(rust: Rust): boolean {
  const folder = join(cache, 'probe');
  const source = join(folder, 'probe.rs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(
    source,
    '#[unsafe(no_mangle)]\npub extern "C" fn f(n: usize) -> usize { vec![1u8; n].len() }\n',
  );
  const target = ['--edition', '2024', '--crate-type', 'cdylib', '--target', WASM_TARGET, '-C', 'lto=fat'];
  const result = join(folder, 'probe.wasm');
  const built = output('rustc', [...target, '-o', result, source], { env: rust.env });
  return built !== undefined && existsSync(result);
}
