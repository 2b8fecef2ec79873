import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { cache, output, pathWith, root, run, StepFailed, say } from '../lib/command.ts';
import { installDebianRust } from './debian-wasm-std.ts';

export const WASM_TARGET = 'wasm32-unknown-unknown';

/** A Rust compiler: the environment in which `cargo` and `rustc` are its own. */
export interface Rust {
  version: string;
  env: Record<string, string>;
}

/** Where cargo keeps what it downloads. */
export function cargoHome(): string {
  return process.env.CARGO_HOME ?? join(homedir(), '.cargo');
}

/** Downloads what is compiled for a target; the folders of crates' sources, one for each registry. */
export function crateSources({ env }: Rust, target: string): string[] {
  run('cargo', ['fetch', '--locked', '--quiet', '--target', target], { env });
  const folder = join(cargoHome(), 'registry', 'src');
  return readdirSync(folder).map((name) => join(folder, name));
}

/** The oldest compiler the workspace takes, from Cargo.toml. */
function oldest(): string {
  return /^rust-version = "(.+)"/m.exec(readFileSync(join(root, 'Cargo.toml'), 'utf8'))?.[1] ?? '0';
}

const fromPath = {};
// Debian's cargo runs whatever rustc comes first on PATH, hence the order.
const fromDebian = { PATH: pathWith('/usr/bin') };

function probe(env: Record<string, string>): Rust | undefined {
  const version = output('rustc', ['--version'], { env });
  const number = /^rustc (\d+)\.(\d+)/.exec(version ?? '');
  const [major, minor] = oldest().split('.').map(Number);
  if (version === undefined || number === null || output('cargo', ['--version'], { env }) === undefined)
    return;
  const recent = Number(number[1]) > (major ?? 0) || Number(number[2]) >= (minor ?? 0);
  return recent ? { version, env } : undefined;
}

/** The machine's Rust compiler, if it has one that is recent enough. */
export function findRust(): Rust | undefined {
  return probe(fromPath) ?? (process.platform === 'linux' ? probe(fromDebian) : undefined);
}

/** A Rust compiler that builds for wasm32, installed as far as this machine lets us. */
export function wasmRust(): Rust {
  const found = findRust();
  if (found !== undefined && buildsWasm(found)) return found;
  const debian = process.platform === 'linux' ? probe(fromDebian) : undefined;
  if (debian !== undefined && buildsWasm(debian)) return debian;
  if (output('rustup', ['--version']) !== undefined) {
    say(`rustup target add ${WASM_TARGET}`);
    output('rustup', ['target', 'add', WASM_TARGET]);
    const again = probe(fromPath);
    if (again !== undefined && buildsWasm(again)) return again;
    console.log('rustup could not add it');
  }
  installDebianRust();
  const installed = probe(fromDebian);
  if (installed !== undefined && buildsWasm(installed)) return installed;
  throw new StepFailed(
    `no Rust compiler for ${WASM_TARGET}: install Rust ${oldest()} or later from https://rustup.rs, then run: rustup target add ${WASM_TARGET}`,
  );
}

/** Compiles and links a small library: tells a missing or foreign standard library and a missing linker alike. */
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
  return (
    output('rustc', [...target, '-o', result, source], { env: rust.env }) !== undefined && existsSync(result)
  );
}
