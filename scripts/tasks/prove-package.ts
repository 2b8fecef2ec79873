// Proves the npm packages as they would be published: packed, installed elsewhere, and used as docs/embedding.md says.
import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { cache, main, root, run, StepFailed, say } from '../lib/command.ts';
import { buildNative } from '../native/build-addon.ts';
import { committedPackage } from '../package/freshness.ts';
import { addonsIn, isNativeBuilt, pack, packNative } from '../release/npm-packages.ts';
import { ensureKit, kitFolder } from '../setup/cached-install.ts';
import { ensureChromium } from '../setup/chromium.ts';
import { findRust } from '../setup/rust-toolchain.ts';

const folder = join(root, 'test', 'package');
const QUIET = ['--no-package-lock', '--no-audit', '--no-fund', '--loglevel=error'];

/** Packs the packages and puts them into the users' folder, as npm would from a registry. */
function installPackages(): void {
  const packed = join(cache, 'packed');
  rmSync(packed, { recursive: true, force: true });
  const files = [pack(committedPackage, packed), ...packNative(addonsIn(), packed)];
  // All that they depend on is among them: no registry is to be asked for names that are not published.
  run('npm', ['install', '--no-save', '--offline', ...QUIET, ...files], { cwd: kitFolder('package-users') });
}

/** The addon of this machine, where it was not built yet. */
function ensureAddon(): void {
  if (isNativeBuilt()) return;
  const rust = findRust();
  if (rust === undefined) throw new StepFailed('trying the native package needs Rust');
  buildNative(rust);
}

main(() => {
  if (process.env.CI) ensureChromium();
  ensureKit({
    name: 'package-users',
    source: join(folder, 'users'),
    // No lock file: it would have to name the other platforms' binaries, which not every registry has.
    list: 'package.json',
    install: (folder) => run('npm', ['install', ...QUIET], { cwd: folder }),
  });
  ensureAddon();
  installPackages();
  say('The packed packages, where they may be used');
  const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
  const proofs = readdirSync(folder).filter((name) => name.endsWith('.proof.ts'));
  const files = proofs.map((name) => join(folder, name));
  run(process.execPath, ['--import', tsx, '--test', '--test-reporter=spec', ...files]);
});
