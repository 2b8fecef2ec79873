// Proves that the committed WebAssembly builds are what their sources build to.
import { join } from 'node:path';
import { cache, main, runTests, say } from '../lib/command.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';
import { assemble, buildModules } from '../wasm/build-package.ts';
import { buildPng } from '../wasm/build-png.ts';

main(async () => {
  const rust = wasmRust();
  await buildModules(rust);
  assemble(join(cache, 'proof'), rust);
  buildPng(rust, join(cache, 'proof-png'));
  say('Comparing the committed builds with new ones');
  runTests([join('test', 'proof', 'committed-package.ts')]);
});
