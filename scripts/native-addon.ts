import { join } from 'node:path';
import { root, runNode, say } from './command.ts';
import type { Rust } from './rust.ts';
import { compileSurface } from './surface.ts';

const folder = join(root, 'bindings', 'node');

/** The native addon, by @napi-rs/cli, and its surface; neither is committed. */
export function buildNative(rust: Rust): void {
  say('Building the native engine');
  const cargo = [
    '--manifest-path',
    join(folder, 'Cargo.toml'),
    '--package-json-path',
    join(folder, 'package.json'),
  ];
  // The surface is ours: the loader and the types that napi writes are not used.
  const quiet = ['--no-js', '--dts', join('..', '..', '.cache', 'napi.d.ts')];
  runNode(
    '@napi-rs/cli/dist/cli.js',
    ['build', '--release', ...cargo, '--output-dir', folder, ...quiet, '--', '--locked'],
    {
      cwd: folder,
      env: rust.env,
      advice:
        'the Rust compiler needs a C linker: on Debian apt-get install gcc, on macOS xcode-select --install',
    },
  );
  compileSurface('native', join(folder, 'dist'));
}
