import { type FileHandle, open, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface WriteOptions {
  /** A temporary file in the same folder, which must not exist yet. */
  temporaryPath: string;
  /** Permissions of a new file, reduced by the umask; an existing file keeps its own. */
  mode: number;
  /** Whether content and name are forced to disk, so that they survive a power failure. */
  isDurable: boolean;
  /** Called just before the rename; if it throws, the old file stays. */
  beforeRename?(): Promise<void>;
}

/**
 * Writes a file under a temporary name and renames it, so that a reader finds the old content or the new one, never a
 * part. (write-file-atomic 8 needs Node.js 22 and does not force the new name to disk.)
 */
export async function writeAtomically(
  path: string,
  content: string | Uint8Array,
  options: WriteOptions,
): Promise<void> {
  const { temporaryPath, mode, isDurable, beforeRename } = options;
  const file = await open(temporaryPath, 'wx', mode);
  try {
    await file.writeFile(content);
    await copyOwner(path, file);
    if (isDurable) await file.sync();
    await file.close();
    await beforeRename?.();
    await rename(temporaryPath, path);
  } catch (error) {
    await file.close().catch(() => {});
    await rm(temporaryPath, { force: true });
    throw error;
  }
  if (isDurable) await syncFolder(dirname(path));
}

/** Copies mode and owner of the old file, as root may replace a file that another user reads. */
async function copyOwner(path: string, file: FileHandle): Promise<void> {
  const old = await orMissing(stat(path));
  if (old === undefined) return;
  await file.chmod(old.mode & 0o777);
  // Only root may change the owner; for other users it is the same already, or cannot be kept.
  if (process.platform !== 'win32') await file.chown(old.uid, old.gid).catch(() => {});
}

/** Forces the folder's entries to disk. Windows cannot open folders and does not need this. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** Resolves to undefined instead of failing if the file does not exist. */
export async function orMissing<T>(promise: Promise<T>): Promise<T | undefined> {
  try {
    return await promise;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
