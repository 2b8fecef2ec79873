// The WebAssembly package as the sources are now, where the committed one is older.
import { join } from 'node:path';
import { cache } from './command.ts';
import { wasmRust } from './rust.ts';
import { staleness } from './stamp.ts';
import { ensureWasmTools } from './tools.ts';
import { assemble, buildGlue } from './wasm-package.ts';

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
