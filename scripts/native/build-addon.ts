import { join } from 'node:path';
import { output, root, runNode, say } from '../lib/command.ts';
import { compileSurface } from '../package/compile-surface.ts';
import { remapping } from '../package/remap-paths.ts';
import type { Rust } from '../setup/rust-toolchain.ts';

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
  // The surface is ours: the types that napi writes are not used.
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

/** The machine that a compiler builds for by itself. */
function hostOf({ env }: Rust): string {
  return /^host: (.+)$/m.exec(output('rustc', ['-vV'], { env }) ?? '')?.[1] ?? '';
}
