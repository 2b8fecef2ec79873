import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { output, root, run } from './command.ts';
import type { Rust } from './rust.ts';

/** Flags that keep paths of this machine and a registry's name out of a binary: panic messages name source files. */
export function remapping(rust: Rust, target: string): string[] {
  run('cargo', ['fetch', '--locked', '--quiet', '--target', target], { env: rust.env });
  const home = process.env.CARGO_HOME ?? join(homedir(), '.cargo');
  const registries = join(home, 'registry', 'src');
  const sysroot = output('rustc', ['--print', 'sysroot'], { env: rust.env }) ?? '';
  const commit = /^commit-hash: (.+)$/m.exec(output('rustc', ['-vV'], { env: rust.env }) ?? '')?.[1];
  // rustc takes the last that fits: the more special come later.
  const all: [string, string][] = [
    [home, '/cargo'],
    ...readdirSync(registries).map((name): [string, string] => [join(registries, name), '/crates']),
    [root, '/tracesmith'],
    [join(sysroot, 'lib', 'rustlib', 'src', 'rust'), `/rustc/${commit}`],
  ];
  return all.map(([from, to]) => `--remap-path-prefix=${from}=${to}`);
}
