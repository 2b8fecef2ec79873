import { join } from 'node:path';
import { output, root, runNode, say } from '../lib/command.ts';
import { compileSurface } from '../package/compile-surface.ts';
import { remapping } from '../package/remap-paths.ts';
import type { Rust } from '../setup/rust-toolchain.ts';

const folder = join(root, 'bindings', 'node');

/** Builds the native addon with @napi-rs/cli, and compiles its TypeScript surface. Neither is committed. */
export function buildNative(rust: Rust): void {
  say('Building the native engine');
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
  runNode(
    '@napi-rs/cli/dist/cli.js',
    ['build', '--release', ...cargo, '--output-dir', folder, ...names, '--', '--locked', '--config', flags],
    {
      cwd: folder,
      env: rust.env,
      advice:
        'the addon needs a C compiler and linker: on Debian apt-get install gcc, on macOS xcode-select --install',
    },
  );
  compileSurface('node', join(folder, 'dist'));
}

/** The target that a compiler builds for by default. */
function hostOf({ env }: Rust): string {
  return /^host: (.+)$/m.exec(output('rustc', ['-vV'], { env }) ?? '')?.[1] ?? '';
}
