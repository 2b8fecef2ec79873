// Builds the WebAssembly package, the option types, the PNG decoder, the native addon and the command line's package.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, runNode, say } from '../lib/command.ts';
import { buildNative } from '../native/build-addon.ts';
import { committedPackage, committedPng, PNG_SOURCES, readStamp, staleness } from '../package/freshness.ts';
import { assembleCli, cliPackage } from '../release/cli-package.ts';
import { findRust, type Rust, wasmRust } from '../setup/rust-toolchain.ts';
import { assemble, buildModules, optionTable } from '../wasm/build-package.ts';
import { buildPng } from '../wasm/build-png.ts';
import { optionsSource } from '../wasm/generate-options.ts';

function writeOptionTypes(): void {
  const file = join(root, 'bindings', 'surface', 'shared', 'options.ts');
  const before = existsSync(file) ? readFileSync(file, 'utf8') : '';
  writeFileSync(file, optionsSource(JSON.parse(optionTable())));
  runNode('@biomejs/biome/bin/biome', ['format', '--write', '--log-level=error', file]);
  if (readFileSync(file, 'utf8') !== before) console.log('bindings/surface/shared/options.ts has changed');
}

/** Whether a committed build is of these sources and this compiler. */
function isFresh({ version }: Rust, folder: string, sources?: string[]): boolean {
  return staleness(folder, sources) === undefined && readStamp(folder)?.rustc === version;
}

main(async () => {
  const rust = wasmRust();
  if (isFresh(rust, committedPackage)) {
    say('The WebAssembly package is up to date');
  } else {
    await buildModules(rust);
    writeOptionTypes();
    assemble(committedPackage, rust);
    console.log('bindings/wasm/pkg was rebuilt');
  }
  if (isFresh(rust, committedPng, PNG_SOURCES)) say('The PNG decoder is up to date');
  else buildPng(rust);
  buildNative(findRust() ?? rust);
  say('Bundling the command line');
  assembleCli(cliPackage);
});
