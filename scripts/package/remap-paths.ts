import { join } from 'node:path';
import { output, root } from '../lib/command.ts';
import { cargoHome, crateSources, type Rust } from '../setup/rust-toolchain.ts';

/** Compiler flags that keep this machine's paths out of a binary: panic messages contain the paths of source files. */
export function remapping(rust: Rust, target: string): string[] {
  const sysroot = output('rustc', ['--print', 'sysroot'], { env: rust.env }) ?? '';
  const commit = /^commit-hash: (.+)$/m.exec(output('rustc', ['-vV'], { env: rust.env }) ?? '')?.[1];
  // rustc applies the last prefix that matches, so more specific ones come later.
  const all: [string, string][] = [
    [cargoHome(), '/cargo'],
    ...crateSources(rust, target).map((registry): [string, string] => [registry, '/crates']),
    [root, '/tracesmith'],
    [join(sysroot, 'lib', 'rustlib', 'src', 'rust'), `/rustc/${commit}`],
  ];
  return all.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}
