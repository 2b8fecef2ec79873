// Checks and tests everything this machine allows, and changes nothing on the system. In CI a skip is a failure.
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  main,
  output,
  root,
  run,
  runNode,
  runTests,
  runTogether,
  StepFailed,
  say,
  testFiles,
} from '../lib/command.ts';
import { addonBuild } from '../native/build-addon.ts';
import { compileSurface } from '../package/compile-surface.ts';
import { committedPackage, committedPng, PNG_SOURCES, staleness } from '../package/freshness.ts';
import { buildServiceForTests } from '../release/service-folder.ts';
import { findChromium } from '../setup/chromium.ts';
import { findPromtool } from '../setup/promtool.ts';
import { findRust, oldestRust, type Rust } from '../setup/rust-toolchain.ts';
import { findStoreServer } from '../setup/store-server.ts';
import { ensureFreshPackage } from '../wasm/build-if-stale.ts';

const strict = Boolean(process.env.CI);
const skipped: string[] = [];

/** They put the machine under load, or depend on how fast a thread is served. */
const ALONE = [
  ['load', '.test.ts'],
  ['engine', 'memory.test.ts'],
  ['engine', 'progress.test.ts'],
] as const;

/** Notes that something is not tested, why, and how to change that. */
function skip(what: string, how: string): void {
  if (strict) throw new StepFailed(`CI skips nothing, but this cannot be tested: ${what}\n  ${how}`);
  skipped.push(`${what}\n!   ${how}`);
}

function checkTypeScript(): void {
  say('TypeScript: lint, format, types');
  // The type check of the tests reads the native package's declarations, which need no Rust compiler.
  compileSurface('node', join(root, 'bindings', 'node', 'dist'));
  runNode('@biomejs/biome/bin/biome', ['check', '.'], { advice: 'npm run format repairs most findings' });
  runNode('typescript/bin/tsc', ['--noEmit']);
}

/** Checks the Rust code, and builds the addon. */
async function checkRust(rust: Rust): Promise<void> {
  say('Rust: format, lint, tests');
  const { env } = rust;
  const has = (command: string) => output('cargo', [command, '--version'], { env }) !== undefined;
  if (has('fmt')) run('cargo', ['fmt', '--all', '--check'], { env });
  else skip('the format of Rust code', 'rustup component add rustfmt');
  if (has('clippy')) {
    // The engine is linted with all of its features, as the addon uses it, and without, as the smaller WebAssembly module does.
    for (const which of ['--workspace', '--package=tracesmith'])
      run('cargo', ['clippy', which, '--all-targets', '--locked', '--quiet', '--', '-D', 'warnings'], {
        env,
      });
  } else skip('lints of Rust code', 'rustup component add clippy');
  const tests = { name: 'Testing the crates', args: ['test', '--workspace', '--locked', '--quiet'] };
  // Linking the addon takes a minute, and one processor. The two wait for each other nowhere: their profiles have folders of their own.
  await runTogether([{ ...tests, command: 'cargo', settings: { env } }, addonBuild(rust)]);
  const strictly = { ...env, RUSTDOCFLAGS: '-D warnings' };
  run('cargo', ['doc', '--package', 'tracesmith', '--no-deps', '--locked', '--quiet'], { env: strictly });
}

/** The environment in which tests use a WebAssembly package that matches the sources. */
async function freshPackage(): Promise<Record<string, string>> {
  const reason = staleness(committedPackage);
  if (reason === undefined) return {};
  reportStale(`bindings/wasm/pkg is stale: ${reason}`, 'a new build');
  const folder = await ensureFreshPackage();
  const preload = pathToFileURL(join(root, 'scripts', 'wasm', 'use-fresh-package.mjs')).href;
  return {
    TRACESMITH_WASM: pathToFileURL(join(folder, 'index.js')).href,
    NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${preload}`.trim(),
  };
}

function checkPng(): void {
  const reason = staleness(committedPng, PNG_SOURCES);
  if (reason !== undefined) reportStale(`host/image/png is stale: ${reason}`, 'it all the same');
}

function reportStale(problem: string, used: string): void {
  if (strict) throw new StepFailed(`${problem}\n  npm run build rebuilds it; commit the result`);
  console.warn(`\n! ${problem}\n! The tests use ${used}. Run npm run build before you commit.`);
}

/** Runs all suites, whether or not one fails; returns the first failure. */
function runSuites(env: Record<string, string>): unknown {
  const alone = ALONE.flatMap(([folder, ending]) => testFiles(folder, ending));
  const others = testFiles('', '.test.ts').filter((file) => !alone.includes(file));
  let failure: unknown;
  const attempt = (what: string, files: string[], concurrency?: number) => {
    say(what);
    try {
      runTests(files, { env, ...(concurrency === undefined ? {} : { concurrency }) });
    } catch (error) {
      failure ??= error;
    }
  };
  attempt('Test suites', others);
  attempt('Test suites that need the machine for themselves', alone, 1);
  return failure;
}

main(async () => {
  checkTypeScript();
  const rust = findRust();
  const getRust = `install Rust ${oldestRust()} or later from https://rustup.rs, then npm run setup`;
  if (rust === undefined) skip('the engine’s own tests, Rust code, and the native package', getRust);
  else await checkRust(rust);
  const fresh = await freshPackage();
  checkPng();
  if (findChromium() === undefined)
    skip('pages in a browser', 'npm run setup installs Chromium; TRACESMITH_CHROMIUM may name one');
  if (findStoreServer() === undefined)
    skip(
      'several processes with a shared store',
      'npm run setup installs Valkey; TRACESMITH_VALKEY may name one',
    );
  if (findPromtool() === undefined)
    skip('the alert rules’ own tests', 'npm run setup provides promtool, from Debian’s package prometheus');
  // It starts sooner than from the sources, and many tests start it. A build has the committed package.
  const service = fresh.TRACESMITH_WASM === undefined ? await buildServiceForTests() : {};
  const failure = runSuites({ ...fresh, ...service, TRACESMITH_NATIVE: rust === undefined ? '' : 'built' });
  for (const text of skipped) console.warn(`\n! NOT TESTED: ${text}`);
  if (failure !== undefined) throw failure;
});
