// Installs what only the benchmark uses. What fails is missing from the report, and the rest goes on.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run, StepFailed, say } from '../../lib/command.ts';
import { findRust } from '../../setup/rust-toolchain.ts';
import { nativePeersTarget, peersFolder } from '../core/paths.ts';

/** Installs one package without its scripts; returns the folder from which it can be required. */
export function npmInstall(name: string, version: string): string {
  const folder = peersFolder(name.replace(/\W+/g, '-'));
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return folder;
  say(`npm install ${name} ${version} (once, for the benchmark)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-package-lock'];
  run('npm', ['install', ...quiet, `${name}@${version}`], { cwd: folder });
  return folder;
}

/** Builds the program that runs the native peers; returns its path. */
export function buildNativePeers(): string {
  const rust = findRust();
  if (rust === undefined) throw new StepFailed('building it needs a Rust compiler');
  const manifest = join(root, 'scripts', 'bench', 'native', 'Cargo.toml');
  run('cargo', ['build', '--release', '--locked', '--quiet', '--manifest-path', manifest], {
    env: { ...rust.env, CARGO_TARGET_DIR: nativePeersTarget },
  });
  return join(
    nativePeersTarget,
    'release',
    process.platform === 'win32' ? 'bench-native.exe' : 'bench-native',
  );
}
