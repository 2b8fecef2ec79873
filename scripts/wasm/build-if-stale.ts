import { join } from 'node:path';
import { cache } from '../lib/command.ts';
import { committedPackage, staleness } from '../package/freshness.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';
import { assemble, buildModules } from './build-package.ts';

/** The folder of a WebAssembly package that matches the sources: the committed one, or else one in the cache. */
export function ensureFreshPackage(): string {
  const own = join(cache, 'pkg');
  const fresh = [committedPackage, own].find((folder) => staleness(folder) === undefined);
  if (fresh !== undefined) return fresh;
  const rust = wasmRust();
  buildModules(rust);
  assemble(own, rust);
  return own;
}
