// Installs what only the benchmark uses, each for itself: what cannot be had is missing, and the rest goes on.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { root, run, StepFailed, say } from '../../lib/command.ts';
import { aptInstall, hasApt } from '../../setup/apt.ts';
import { findRust } from '../../setup/rust-toolchain.ts';
import { nativePeersTarget, peersFolder } from '../core/paths.ts';

/** Installs one package, without its scripts; gives the folder in which it can be required. */
export function npmInstall(name: string, version: string): string {
  const folder = peersFolder(name.replace(/\W+/g, '-'));
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return folder;
  say(`npm install ${name} ${version} (once, for the benchmark only)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-package-lock'];
  run('npm', ['install', ...quiet, `${name}@${version}`], { cwd: folder });
  return folder;
}

/** Builds one of the programs in native/; gives its file. */
export function cargoBuild(name: string): string {
  const rust = findRust();
  if (rust === undefined) throw new StepFailed('it is built from source, and there is no Rust compiler');
  const manifest = join(root, 'scripts', 'bench', 'native', 'Cargo.toml');
  const what = ['--release', '--locked', '--quiet', '--manifest-path', manifest, '--package', name];
  run('cargo', ['build', ...what], { env: { ...rust.env, CARGO_TARGET_DIR: nativePeersTarget } });
  return join(nativePeersTarget, 'release', process.platform === 'win32' ? `${name}.exe` : name);
}

/** A program of Debian's, or one that is on PATH already. */
export function ensureProgram(name: string): void {
  const folders = (process.env.PATH ?? '').split(delimiter);
  if (folders.some((folder) => existsSync(join(folder, name)))) return;
  if (!hasApt()) throw new StepFailed(`${name} is not on PATH`);
  say(`apt-get install ${name} (once, for the benchmark only)`);
  aptInstall([name], `by hand: apt-get install ${name}`);
}
