// Everything that must hold before a change is good; CI does the same.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, output, root, run, runNode, StepFailed, say } from '../lib/command.ts';
import { buildNative } from '../native/build-addon.ts';
import { compileSurface } from '../package/compile-surface.ts';
import { committedPackage, staleness } from '../package/freshness.ts';
import { ensureChromium } from '../setup/chromium.ts';
import { findRust, type Rust } from '../setup/rust-toolchain.ts';
import { ensureFreshPackage } from '../wasm/build-if-stale.ts';

const strict = Boolean(process.env.CI);

function checkTypeScript(): void {
  say('TypeScript: lint, format, types');
  // The suites are checked against its types, which need no Rust compiler.
  compileSurface('node', join(root, 'bindings', 'node', 'dist'));
  runNode('@biomejs/biome/bin/biome', ['check', '.'], { advice: 'npm run format repairs most of it' });
  runNode('typescript/bin/tsc', ['--noEmit']);
}

function checkRust({ env }: Rust): void {
  say('Rust: format, lint, tests');
  const component = (name: string) => ({
    env,
    advice: `if the command is missing: rustup component add ${name}`,
  });
  run('cargo', ['fmt', '--all', '--check'], component('rustfmt'));
  // The engine as the addon has it, and as WebAssembly does: without threads.
  for (const which of ['--workspace', '--package=tracesmith']) {
    const lint = ['clippy', which, '--all-targets', '--locked', '--quiet', '--', '-D', 'warnings'];
    run('cargo', lint, component('clippy'));
  }
  run('cargo', ['test', '--workspace', '--locked', '--quiet'], { env });
  const strictly = { ...env, RUSTDOCFLAGS: '-D warnings' };
  run('cargo', ['doc', '--package', 'tracesmith', '--no-deps', '--locked', '--quiet'], { env: strictly });
}

/** The environment that makes tests use a package built from the sources as they are. */
function freshPackage(rust: Rust | undefined): Record<string, string> {
  const reason = staleness(committedPackage);
  if (reason === undefined) return {};
  const problem = `bindings/wasm/pkg is stale: ${reason}`;
  if (strict || rust === undefined)
    throw new StepFailed(`${problem}\n  npm run build makes it anew; commit the result`);
  console.warn(`\n! ${problem}.\n! The tests use one built now; npm run build before the work is done.`);
  const folder = ensureFreshPackage();
  const preload = pathToFileURL(join(root, 'scripts', 'wasm', 'use-fresh-package.mjs')).href;
  return {
    TRACESMITH_WASM: pathToFileURL(join(folder, 'index.js')).href,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`.trim(),
  };
}

function runSuites(env: Record<string, string>): void {
  say('Test suites');
  const names = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.test.ts')).map((name) => join('test', name));
  const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
  run(process.execPath, ['--import', tsx, '--test', '--test-reporter=spec', ...files.sort()], { env });
}

const UNTESTED = `
!! No Rust compiler (rustc and cargo, of Cargo.toml's rust-version or later) was found.
!! UNTESTED: the engine's own tests, Rust lint and format, the native engine, and that it equals WebAssembly's.
!! Install one from https://rustup.rs and run npm test again.
`;

main(() => {
  checkTypeScript();
  const rust = findRust();
  if (rust === undefined) {
    console.warn(`${UNTESTED}${output('rustc', ['--version']) ?? ''}`);
    if (strict) throw new StepFailed('CI needs a Rust compiler');
  } else {
    checkRust(rust);
  }
  const fresh = freshPackage(rust);
  if (rust !== undefined) buildNative(rust);
  if (strict) ensureChromium();
  runSuites({ ...fresh, TRACESMITH_NATIVE: rust === undefined ? '' : 'built' });
  if (rust === undefined) console.warn(UNTESTED);
});
