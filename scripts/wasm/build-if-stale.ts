// The WebAssembly package as the sources are now, where the committed one is older.
import { join } from 'node:path';
import { cache } from '../lib/command.ts';
import { staleness } from '../package/freshness.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';
import { ensureWasmTools } from '../setup/wasm-tools.ts';
import { assemble, buildGlue } from './build-package.ts';

/** Builds it in the cache, unless it is there; gives its folder. */
export function ensureFreshPackage(): string {
  const folder = join(cache, 'pkg');
  if (staleness(folder) === undefined) return folder;
  const compiler = wasmRust();
  ensureWasmTools(compiler);
  buildGlue(compiler);
  assemble(folder, compiler);
  return folder;
}
