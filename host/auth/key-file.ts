import { randomBytes } from 'node:crypto';
import { readdir, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orMissing, writeAtomically } from '../files/atomic-write.ts';
import { withLock } from '../files/file-lock.ts';
import { readRegularFile } from '../files/read-regular-file.ts';
import { formatKeys, type KeyRow, parseKeys } from './key-file-format.ts';
import type { Change, KeyRegistry } from './key-registry.ts';

/** A new file is readable by its owner only; an existing file keeps its mode. */
const PRIVATE_MODE = 0o600;
/** What follows the name of the key file, and a dot, in the names of its temporary files and those of its lock. */
const TEMPORARY_NAME = /^([0-9a-f]{16}|lock\.[0-9a-f-]{36})\.tmp$/;
/** A temporary file older than this belongs to a process that was killed. */
const ABANDONED_MS = 120_000;

/** The keys of a file, for commands. */
export function keyFile(path: string): KeyRegistry {
  return { read: () => readKeys(path), change: (change) => changeKeys(path, change) };
}

/** Reads and checks a key file. */
export async function readKeys(path: string): Promise<KeyRow[]> {
  const text = await orMissing(readRegularFile(path));
  if (text === undefined) throw missingKeyFile(path);
  return parseKeys(text, path);
}

/** Says how to make the file: before the first key has been issued, there is none. */
export function missingKeyFile(path: string): Error {
  return new Error(`The key file ${path} does not exist. The keys command "issue" creates it.`);
}

/**
 * Changes a key file, or creates it. A lock file serializes writers, so that no change is lost. The new content is
 * written to a temporary file, forced to disk and renamed, so that readers find the old file or the new one.
 */
export async function changeKeys<T>(path: string, change: (rows: KeyRow[]) => Change<T>): Promise<T> {
  // Renaming onto a symbolic link would replace the link.
  const target = (await orMissing(realpath(path))) ?? path;
  const folder = dirname(target);
  if ((await orMissing(stat(folder))) === undefined) throw new Error(`The folder ${folder} does not exist.`);
  return withLock(`${target}.lock`, async (assertHeld) => {
    await removeAbandonedFiles(target);
    const text = await orMissing(readRegularFile(target));
    const { rows, result } = change(text === undefined ? [] : parseKeys(text, target));
    const temporaryPath = `${target}.${randomBytes(8).toString('hex')}.tmp`;
    const options = { temporaryPath, mode: PRIVATE_MODE, isDurable: true, beforeRename: assertHeld };
    await writeAtomically(target, formatKeys(rows), options);
    return result;
  });
}

async function removeAbandonedFiles(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  const isTemporary = (name: string) =>
    name.startsWith(prefix) && TEMPORARY_NAME.test(name.slice(prefix.length));
  for (const name of (await readdir(dirname(path))).filter(isTemporary)) {
    const file = join(dirname(path), name);
    const stats = await orMissing(stat(file));
    if (stats !== undefined && Date.now() - stats.mtimeMs > ABANDONED_MS) await rm(file, { force: true });
  }
}
