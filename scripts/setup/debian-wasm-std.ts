// Where rustup has no standard library for wasm32: Debian's own compiler, and that library built from Debian's sources.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, output, pathWith, run, say } from '../lib/command.ts';
import { aptInstall, asRoot, hasApt } from './apt.ts';

const TARGET = 'wasm32-unknown-unknown';
const PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-clippy', 'rustfmt-web'];
const VENDOR = '/usr/lib/rustlib/src/rust/library/vendor';
const LIBRARY = `/usr/lib/rustlib/${TARGET}/lib`;
const ADVICE =
  'installing a Rust compiler for wasm32 needs root or sudo; or install one from https://rustup.rs';
// The compiler's version; beside the libraries, which no other compiler can read.
const BUILT_WITH = `${LIBRARY}/.built-with`;

/** Does nothing on a machine without apt-get. */
export function installDebianRust(): void {
  if (!hasApt()) return;
  if (!existsSync(VENDOR) || !existsSync('/usr/bin/cargo-clippy') || !existsSync('/usr/bin/cargo-fmt')) {
    say(`apt-get install ${PACKAGES.join(' ')}`);
    aptInstall(PACKAGES, ADVICE);
  }
  const version = output('/usr/bin/rustc', ['-vV']) ?? '';
  linkLinker(version);
  if (existsSync(BUILT_WITH) && readFileSync(BUILT_WITH, 'utf8').trim() === version) return;
  say(`Building Rust's standard library for ${TARGET}`);
  buildLibrary(version);
}

/** rustc starts `rust-lld`, which Debian's packages name otherwise. */
function linkLinker(version: string): void {
  const host = /^host: (.+)$/m.exec(version)?.[1];
  const llvm = /^LLVM version: (\d+)/m.exec(version)?.[1];
  const folder = `/usr/lib/rustlib/${host}/bin`;
  if (existsSync(`${folder}/rust-lld`)) return;
  if (!existsSync(`/usr/lib/llvm-${llvm}/bin/lld`)) aptInstall([`lld-${llvm}`], ADVICE);
  asRoot(['mkdir', '-p', folder], ADVICE);
  asRoot(['ln', '-sfn', `/usr/lib/llvm-${llvm}/bin/lld`, `${folder}/rust-lld`], ADVICE);
}

function buildLibrary(version: string): void {
  const folder = join(cache, 'wasm-std');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(join(folder, 'src'), { recursive: true });
  writeFileSync(join(folder, 'src', 'lib.rs'), '#![no_std]\n');
  writeFileSync(
    join(folder, 'Cargo.toml'),
    `[package]\nname = "std_carrier"\nversion = "0.0.0"\nedition = "2021"\n[workspace]\n
[profile.release]\nopt-level = 3\ncodegen-units = 1\npanic = "abort"\n`,
  );
  const build = ['build', '--release', '--target', TARGET, '--target-dir', 'target'];
  const standard = ['-Zbuild-std=std,panic_abort,proc_macro,test'];
  const vendored = ['source.crates-io.replace-with="std-vendor"', `source.std-vendor.directory="${VENDOR}"`];
  run('/usr/bin/cargo', [...build, ...standard, ...vendored.flatMap((setting) => ['--config', setting])], {
    cwd: folder,
    env: {
      PATH: pathWith('/usr/bin'),
      RUSTC: '/usr/bin/rustc',
      // Unlocks -Z here, once; the project itself needs none.
      RUSTC_BOOTSTRAP: '1',
      // Whole-program optimization reads the libraries' bitcode.
      RUSTFLAGS: '-Cembed-bitcode=yes',
      RUSTUP_TOOLCHAIN: undefined,
      CARGO_TARGET_DIR: undefined,
      CARGO_ENCODED_RUSTFLAGS: undefined,
    },
  });
  const built = join(folder, 'target', TARGET, 'release', 'deps');
  const libraries = readdirSync(built).filter(
    (name) => name.endsWith('.rlib') && !name.includes('std_carrier'),
  );
  const stamp = join(folder, '.built-with');
  writeFileSync(stamp, version);
  asRoot(['rm', '-rf', LIBRARY], ADVICE);
  asRoot(['mkdir', '-p', LIBRARY], ADVICE);
  asRoot(['cp', ...libraries.map((name) => join(built, name)), stamp, LIBRARY], ADVICE);
}
