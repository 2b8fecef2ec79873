// The licenses that a package ships with: the project's own, and those of the crates that are compiled into it.
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathWith, root, run } from '../lib/command.ts';
import { ensureCargoAbout, toolsBin } from '../setup/cargo-tools.ts';
import type { Rust } from '../setup/rust-toolchain.ts';

/** npm adds a file named LICENSE by itself, but not these. */
export const LICENSES = ['LICENSE-MIT', 'LICENSE-APACHE'];
export const NOTICES = 'THIRD-PARTY-NOTICES';

export function copyLicenses(folder: string): void {
  for (const name of LICENSES) copyFileSync(join(root, name), join(folder, name));
}

/** Writes the notices of a binding, `wasm` or `node`, as it is compiled for a target. */
export function writeNotices(folder: string, binding: string, target: string, rust: Rust): void {
  ensureCargoAbout(rust);
  const config = join(root, 'scripts', 'package', 'about');
  const manifest = join(root, 'bindings', binding, 'Cargo.toml');
  const from = [
    '--config',
    `${config}.toml`,
    '--manifest-path',
    manifest,
    '--target',
    target,
    `${config}.hbs`,
  ];
  const env = { ...rust.env, PATH: pathWith(toolsBin, rust.env.PATH ?? '') };
  run('cargo-about', ['generate', '--locked', '--fail', ...from, '--output-file', join(folder, NOTICES)], {
    env,
  });
}
