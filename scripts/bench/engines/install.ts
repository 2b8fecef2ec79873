import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { npmInstall, StepFailed, say } from '../../lib/command.ts';
import { peersFolder } from '../core/paths.ts';
import type { Gap } from '../core/results.ts';

interface Package {
  package: string;
  version: string;
}

/** Installs a package without its scripts, and gives the folder from which it can be required; a failure is a gap in `what`. */
export function installOrGap(wanted: Package, what: string, gaps: Gap[]): string | undefined {
  const { package: name, version } = wanted;
  const folder = peersFolder(name.replace(/\W+/g, '-'));
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return folder;
  say(`npm install ${name} ${version} (once, for the benchmark)`);
  try {
    npmInstall(folder, '--ignore-scripts', `${name}@${version}`);
    return folder;
  } catch (error) {
    if (!(error instanceof StepFailed)) throw error;
    gaps.push({ what, why: error.message });
    return undefined;
  }
}
