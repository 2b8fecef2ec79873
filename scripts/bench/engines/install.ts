import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run, say } from '../../lib/command.ts';
import { peersFolder } from '../core/paths.ts';

/** Installs one package without its scripts; returns the folder from which it can be required. */
export function npmInstall(name: string, version: string): string {
  const folder = peersFolder(name.replace(/\W+/g, '-'));
  const manifest = join(folder, 'node_modules', name, 'package.json');
  if (existsSync(manifest) && JSON.parse(readFileSync(manifest, 'utf8')).version === version) return folder;
  say(`npm install ${name} ${version} (once, for the benchmark)`);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"private":true}');
  const quiet = ['--no-audit', '--no-fund', '--loglevel=error', '--ignore-scripts', '--no-package-lock'];
  run('npm', ['install', ...quiet, `${name}@${version}`], { cwd: folder });
  return folder;
}
