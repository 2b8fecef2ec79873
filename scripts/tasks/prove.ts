// Proves the committed WebAssembly package: builds it from source and holds the two against each other.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache, main, root, run, say } from '../lib/command.ts';
import { wasmRust } from '../setup/rust-toolchain.ts';
import { ensureWasmTools } from '../setup/wasm-tools.ts';
import { assemble, buildGlue } from '../wasm/build-package.ts';

main(() => {
  const rust = wasmRust();
  ensureWasmTools(rust);
  buildGlue(rust);
  assemble(join(cache, 'proof'), rust);
  say('The committed package against the one just built');
  const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
  const proof = join('test', 'proof', 'committed-package.ts');
  run(process.execPath, ['--import', tsx, '--test', '--test-reporter=spec', proof]);
});
