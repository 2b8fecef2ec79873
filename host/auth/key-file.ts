import { randomBytes } from 'node:crypto';
import { readdir, readFile, realpath, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { orMissing, replaceFile } from '../files/atomic-write.ts';
import { withLock } from '../files/file-lock.ts';
import { formatKeys, type KeyRow, parseKeys } from './key-file-format.ts';

/** A new file is for its owner's eyes; an existing one keeps its mode. */
const PRIVATE_MODE = 0o600;
/** What follows the file's name and a dot in the names of drafts, and of locks on a dead writer's lock. */
const LEFTOVER = /^([0-9a-f]{16}\.tmp|lock\.[0-9a-f-]{36}(\..*)?)$/;
/** Leftovers older than this are of a process that was killed. */
const ABANDONED_MS = 120_000;

/** What a change makes of the rows, and what it tells whoever asked for it. */
export interface Change<T> {
  rows: KeyRow[];
  result: T;
}

/** The rows of a keys file. */
export async function readKeys(path: string): Promise<KeyRow[]> {
  return parseKeys(await readFile(path, 'utf8'), path);
}

/**
 * Changes a keys file, which need not exist yet. Writers wait for each other, so none loses another's change. The new
 * text is written whole, forced to the disk and renamed into place: readers find the old file or the new one.
 */
export async function changeKeys<T>(path: string, change: (rows: KeyRow[]) => Change<T>): Promise<T> {
  // Renaming would put a file in the place of a symbolic link.
  const target = (await orMissing(realpath(path))) ?? path;
  return withLock(`${target}.lock`, async (assertHeld) => {
    await removeAbandoned(target);
    const text = await orMissing(readFile(target, 'utf8'));
    const { rows, result } = change(text === undefined ? [] : parseKeys(text, target));
    const draft = `${target}.${randomBytes(8).toString('hex')}.tmp`;
    const terms = { draft, mode: PRIVATE_MODE, isDurable: true, beforeRename: assertHeld };
    await replaceFile(target, formatKeys(rows), terms);
    return result;
  });
}

async function removeAbandoned(path: string): Promise<void> {
  const prefix = `${basename(path)}.`;
  const isLeftover = (name: string) => name.startsWith(prefix) && LEFTOVER.test(name.slice(prefix.length));
  for (const name of (await readdir(dirname(path))).filter(isLeftover)) {
    const leftover = join(dirname(path), name);
    const found = await orMissing(stat(leftover));
    if (found !== undefined && Date.now() - found.mtimeMs > ABANDONED_MS) await rm(leftover, { force: true });
  }
}
