// A folder in which the packed packages are installed beside the tools that docs/embedding.md uses them with.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { cache, npmInstall, root, StepFailed } from '../lib/command.ts';
import { buildNative } from '../native/build-addon.ts';
import { committedPackage } from '../package/freshness.ts';
import { findRust } from '../setup/rust-toolchain.ts';
import { addonsIn, isNativeBuilt, pack, packNative } from './npm-packages.ts';

export const users = join(cache, 'package-users');

/** A lock file would name the binaries of other platforms, which not every registry has. */
const NO_LOCK = '--no-package-lock';

/** Packs the packages and installs them as npm would from a registry. */
export function installPackages(): void {
  cpSync(join(root, 'test', 'package', 'users'), users, { recursive: true });
  npmInstall(users, NO_LOCK);
  if (!isNativeBuilt()) {
    const rust = findRust();
    if (rust === undefined) throw new StepFailed('testing the native package needs Rust: npm run setup');
    buildNative(rust);
  }
  const packed = join(cache, 'packed');
  rmSync(packed, { recursive: true, force: true });
  const files = [pack(committedPackage, packed), ...packNative(addonsIn(), packed)];
  // All of their dependencies are among them, so npm asks no registry for unpublished names.
  npmInstall(users, NO_LOCK, '--no-save', '--offline', ...files);
}
