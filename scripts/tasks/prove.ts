// Proves that the committed WebAssembly package is what its sources build to.
import { join } from 'node:path';
import { cache, main, runTests, say } from '../lib/command.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';
import { assemble, buildGlue } from '../wasm/build-package.ts';

main(() => {
  const rust = wasmRust();
  buildGlue(rust);
  assemble(join(cache, 'proof'), rust);
  say('Comparing the committed package with a new build');
  runTests([join('test', 'proof', 'committed-package.ts')]);
});
