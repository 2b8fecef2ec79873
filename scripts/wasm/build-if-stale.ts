import { join } from 'node:path';
import { cache } from '../lib/command.ts';
import { committedPackage, staleness } from '../package/freshness.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';

/** The folder of a WebAssembly package that matches the sources: the committed one, or else one in the cache. */
export async function ensureFreshPackage(): Promise<string> {
  const own = join(cache, 'pkg');
  const fresh = [committedPackage, own].find((folder) => staleness(folder) === undefined);
  if (fresh !== undefined) return fresh;
  // Binaryen takes ten seconds to load.
  const { assemble, buildModules } = await import('./build-package.ts');
  const rust = wasmRust();
  await buildModules(rust);
  assemble(own, rust);
  return own;
}
