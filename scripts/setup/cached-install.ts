// Programs and packages that only some proofs need, each set of them in a folder of its own below .cache.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, run, say } from '../lib/command.ts';

export interface Kit {
  name: string;
  /** The folder in the repository that is copied. */
  source: string;
  /** The file of it that says what is to be installed. */
  list: string;
  /** Installs it, in the copy. */
  install(folder: string): void;
}

export const kitFolder = (name: string) => join(cache, 'kits', name);

/** Copies the kit's files; installs only when what it asks for has changed. */
export function ensureKit({ name, source, list, install }: Kit): void {
  const folder = kitFolder(name);
  const stamp = join(folder, '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(source, list)))
    .digest('hex');
  const isThere = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!isThere) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  if (isThere) return;
  say(`Installing ${name} (once)`);
  install(folder);
  writeFileSync(stamp, wanted);
}

/** Installs what a package-lock.json lists. */
export function npmCi(folder: string): void {
  run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder });
}
