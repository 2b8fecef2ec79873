import { join } from 'node:path';
import { cache } from '../lib/command.ts';
import { staleness } from '../package/freshness.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';
import { assemble, buildGlue } from './build-package.ts';

/** The folder of a WebAssembly package that matches the sources; builds it in the cache if there is none. */
export function ensureFreshPackage(): string {
  const folder = join(cache, 'pkg');
  if (staleness(folder) === undefined) return folder;
  const rust = wasmRust();
  buildGlue(rust);
  assemble(folder, rust);
  return folder;
}
