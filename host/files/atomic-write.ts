import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface Terms {
  /** Where the new content is written before it is renamed: in the same folder, and no file yet. */
  draft: string;
  /** Of a new file, as far as the process lets it be; an existing one keeps its own. */
  mode: number;
  /** Whether content and name are forced to the disk, to outlive a power cut. */
  isDurable: boolean;
  /** Throws when the old file must stay after all. */
  beforeRename?(): Promise<void>;
}

/**
 * Writes a file whole and renames it into place: whoever reads finds the old one or the new one, never a part.
 * (write-file-atomic 8 wants Node.js 22, and does not force the new name to the disk.)
 */
export async function replaceFile(path: string, content: string | Uint8Array, terms: Terms): Promise<void> {
  const { draft, mode, isDurable, beforeRename } = terms;
  const file = await open(draft, 'wx', mode);
  try {
    await file.writeFile(content);
    await copyOwner(path, file);
    if (isDurable) await file.sync();
    await file.close();
    await beforeRename?.();
    await rename(draft, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(draft, { force: true });
    throw error;
  }
  if (isDurable) await syncFolder(dirname(path));
}

/** Whoever replaces a file may be another user than those who use it. */
async function copyOwner(path: string, file: FileHandle): Promise<void> {
  const old = await orMissing(stat(path));
  if (old === undefined) return;
  await file.chmod(old.mode & 0o777);
  // Only root may give files away; for others the owner is the same, or cannot be kept.
  if (process.platform !== 'win32') await file.chown(old.uid, old.gid).catch(() => {});
}

/** The new name, too, must outlive a power cut. Windows cannot open folders, and needs no such call. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Undefined instead of an error where there is no such file. */
export async function orMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
