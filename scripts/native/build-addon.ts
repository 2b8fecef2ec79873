import { join } from 'node:path';
import { output, root, run, say, type Together } from '../lib/command.ts';
import { compileSurface } from '../package/compile-surface.ts';
import { remapping } from '../package/remap-paths.ts';
import type { Rust } from '../setup/rust-toolchain.ts';

const NAPI = join('node_modules', '@napi-rs', 'cli', 'dist', 'cli.js');
const folder = join(root, 'bindings', 'node');

/** Builds the native addon, and compiles its TypeScript surface. Neither is committed. */
export function buildNative(rust: Rust): void {
  const { name, command, args, settings } = addonBuild(rust);
  say(name);
  run(command, args, settings);
  compileSurface('node', join(folder, 'dist'));
}

/** How @napi-rs/cli builds the addon. */
export function addonBuild(rust: Rust): Together {
  const cargo = [
    '--manifest-path',
    join(folder, 'Cargo.toml'),
    '--package-json-path',
    join(folder, 'package.json'),
  ];
  // The surface has hand-written types; those of napi go to the cache.
  const names = ['--platform', '--js', 'loader.cjs', '--dts', join('..', '..', '.cache', 'napi.d.ts')];
  const target = hostOf(rust);
  const flags = `target.${target}.rustflags=${JSON.stringify(remapping(rust, target))}`;
  const build = ['build', '--release', ...cargo, '--output-dir', folder, ...names];
  return {
    name: 'Building the native engine',
    command: process.execPath,
    args: [join(root, NAPI), ...build, '--', '--locked', '--config', flags],
    settings: {
      cwd: folder,
      env: rust.env,
      advice:
        'the addon needs a C compiler and linker: on Debian apt-get install gcc, on macOS xcode-select --install',
    },
  };
}

/** The target that a compiler builds for by default. */
function hostOf({ env }: Rust): string {
  return /^host: (.+)$/m.exec(output('rustc', ['-vV'], { env }) ?? '')?.[1] ?? '';
}
