// Installs Debian packages. On machines where rustup cannot download the standard library for wasm32, that includes Debian's
// compiler, and the library is built from Debian's sources.
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { cache, output, pathWith, run, say } from '../lib/command.ts';

const TARGET = 'wasm32-unknown-unknown';
const PACKAGES = ['rustc-web', 'cargo-web', 'rust-web-src', 'rust-web-clippy', 'rustfmt-web'];
const VENDOR = '/usr/lib/rustlib/src/rust/library/vendor';
const LIBRARY = `/usr/lib/rustlib/${TARGET}/lib`;
// Holds the version of the compiler: no other compiler can read the libraries beside it.
const BUILT_WITH = `${LIBRARY}/.built-with`;

export function hasApt(): boolean {
  return process.platform === 'linux' && output('apt-get', ['--version']) !== undefined;
}

/** Installs Debian packages, as root or with sudo. */
export function aptInstall(packages: string[]): void {
  asRoot('apt-get', 'update', '-qq');
  const quiet = ['-o', 'DPkg::Lock::Timeout=300', '-y', '-qq', '--no-install-recommends'];
  asRoot('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', ...quiet, ...packages);
}

/** Copies one program of a Debian package to a folder, without installing the package. */
export function extractProgram(name: string, path: string, target: string): void {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-package-'));
  try {
    const download = ['download', '-q', '-o', 'APT::Sandbox::User=root', name];
    if (output('apt-get', download, { cwd: folder }) === undefined) {
      asRoot('apt-get', 'update', '-qq');
      run('apt-get', download, { cwd: folder });
    }
    const [file = ''] = readdirSync(folder);
    run('dpkg', ['-x', join(folder, file), folder]);
    mkdirSync(target, { recursive: true });
    copyFileSync(join(folder, path), join(target, basename(path)));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function asRoot(command: string, ...args: string[]): void {
  const advice = 'npm run setup installs Debian packages and needs root or sudo for that';
  if (process.getuid?.() === 0) run(command, args, { advice });
  else run('sudo', [command, ...args], { advice });
}

/** Installs a compiler that builds for wasm32; does nothing without apt-get. */
export function installDebianRust(): void {
  if (!hasApt()) return;
  if (!existsSync(VENDOR) || !existsSync('/usr/bin/cargo-clippy') || !existsSync('/usr/bin/cargo-fmt')) {
    say(`apt-get install ${PACKAGES.join(' ')}`);
    aptInstall(PACKAGES);
  }
  const version = output('/usr/bin/rustc', ['-vV']) ?? '';
  linkLinker(version);
  if (existsSync(BUILT_WITH) && readFileSync(BUILT_WITH, 'utf8').trim() === version) return;
  say(`Building Rust's standard library for ${TARGET}`);
  buildLibrary(version);
}

/** rustc runs `rust-lld`, which has another name in Debian. */
function linkLinker(version: string): void {
  const host = /^host: (.+)$/m.exec(version)?.[1];
  const llvm = /^LLVM version: (\d+)/m.exec(version)?.[1];
  const folder = `/usr/lib/rustlib/${host}/bin`;
  if (existsSync(`${folder}/rust-lld`)) return;
  if (!existsSync(`/usr/lib/llvm-${llvm}/bin/lld`)) aptInstall([`lld-${llvm}`]);
  asRoot('mkdir', '-p', folder);
  asRoot('ln', '-sfn', `/usr/lib/llvm-${llvm}/bin/lld`, `${folder}/rust-lld`);
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
      // Allows -Z for this build alone.
      RUSTC_BOOTSTRAP: '1',
      // Link-time optimization reads the libraries' bitcode.
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
  asRoot('rm', '-rf', LIBRARY);
  asRoot('mkdir', '-p', LIBRARY);
  asRoot('cp', ...libraries.map((name) => join(built, name)), stamp, LIBRARY);
}
