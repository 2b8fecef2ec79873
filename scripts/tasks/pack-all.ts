// Packs everything that is published into one folder, and rehearses publishing it: npm run pack-all -- [--rehearse] [--addons FOLDER]
import { createHash } from 'node:crypto';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { cache, main, output, run, StepFailed, say } from '../lib/command.ts';
import { committedPackage, staleness } from '../package/freshness.ts';
import { assembleCli, cliPackage } from '../release/cli-package.ts';
import { addonsIn, pack, packNative, targets } from '../release/npm-packages.ts';
import { isInChangelog, version, versionProblems } from '../release/versions.ts';
import { findRust } from '../setup/rust-toolchain.ts';

const { values } = parseArgs({
  options: { rehearse: { type: 'boolean', default: false }, addons: { type: 'string' } },
});
const folder = join(cache, 'release');

/** The reasons why this cannot be released. */
function obstacles(addons: string[]): string[] {
  const stale = staleness(committedPackage);
  const missing = [...targets().keys()].filter((name) => !addons.some((file) => basename(file) === name));
  const found: (string | false)[] = [
    output('git', ['status', '--porcelain']) !== '' &&
      'the work tree is not clean: commit or stash the changes',
    ...versionProblems(),
    !isInChangelog() && `CHANGELOG.md has no section "## [${version()}] - " with its date`,
    stale !== undefined && `bindings/wasm/pkg is stale: ${stale}; npm run build rebuilds it`,
    missing.length > 0 && `no addon for ${missing.join(', ')}; pass --addons with the folder that has them`,
  ];
  return found.filter((line) => line !== false);
}

/** Fails if there is a reason; a rehearsal only prints them. */
function check(addons: string[]): void {
  if (addons.length === 0) throw new StepFailed('there are no addons: npm run build builds one');
  const found = obstacles(addons);
  if (found.length === 0) return;
  const list = found.map((line) => `  ${line}`).join('\n');
  if (!values.rehearse) throw new StepFailed(`this cannot be released:\n${list}\n  --rehearse packs anyway`);
  console.warn(`! This cannot be released:\n${list}`);
}

function packNpm(addons: string[]): string[] {
  assembleCli(cliPackage);
  return [committedPackage, cliPackage]
    .map((source) => pack(source, folder))
    .concat(packNative(addons, folder));
}

/** Packs the crate, and builds it from its package. */
function packCrate(): void {
  const rust = findRust();
  if (rust === undefined) throw new StepFailed('packing the crate needs Rust');
  const flags = ['--package', 'tracesmith', '--locked', ...(values.rehearse ? ['--allow-dirty'] : [])];
  const target = join(cache, 'crate');
  const cargo = (...args: string[]) =>
    run('cargo', [...args, ...flags, '--target-dir', target], { env: rust.env });
  cargo('package', '--no-verify', '--quiet');
  const name = `tracesmith-${version()}.crate`;
  copyFileSync(join(target, 'package', name), join(folder, name));
  // This builds the crate as well, and removes what was packed.
  cargo('publish', '--dry-run');
}

function packBinaries(addons: string[]): void {
  const modules = readdirSync(committedPackage).filter((name) => name.endsWith('.wasm'));
  const files = [...addons, ...modules.map((name) => join(committedPackage, name))];
  for (const file of files) copyFileSync(file, join(folder, basename(file)));
}

function writeChecksums(): void {
  const line = (name: string) =>
    `${createHash('sha256')
      .update(readFileSync(join(folder, name)))
      .digest('hex')}  ${name}\n`;
  writeFileSync(join(folder, 'SHA256SUMS'), readdirSync(folder).sort().map(line).join(''));
}

main(() => {
  const addons = addonsIn(values.addons);
  check(addons);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  say('Packing for npm');
  const packed = packNpm(addons);
  for (const file of packed)
    run('npm', ['publish', '--dry-run', '--access', 'public', '--loglevel=error', file]);
  say('Packing the crate');
  packCrate();
  packBinaries(addons);
  writeChecksums();
  console.log(
    `\n${readFileSync(join(folder, 'SHA256SUMS'), 'utf8')}\n${folder} is complete; docs/releasing.md describes the next steps.`,
  );
});
