import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';

/** The content of a file, and what identifies its version. */
export interface FileVersion {
  version: string;
  text: string;
}

/** Far more than a key file needs: 100,000 keys take about 20 MiB. Parsing what is no key file would block the process. */
const MAX_BYTES = 32 * 1024 * 1024;

const pending = new Set<Promise<unknown>>();

/** Reads a text file of at most 32 MiB. Throws for anything but a regular file: reading a FIFO or a device may never end. */
export function readRegularFile(path: string): Promise<string> {
  return tracked(withFile(path, (file) => file.readFile('utf8')));
}

/** Reads a text file as `readRegularFile` does, unless it still has the version `known`: then resolves to undefined. */
export function readIfChanged(path: string, known: string): Promise<FileVersion | undefined> {
  const read = async (file: FileHandle, version: string) =>
    version === known ? undefined : { version, text: await file.readFile('utf8') };
  return tracked(withFile(path, read));
}

/** Resolves when no read is in progress. */
export async function pendingReads(): Promise<void> {
  await Promise.allSettled(pending);
}

function tracked<T>(read: Promise<T>): Promise<T> {
  const settled = read.finally(() => pending.delete(settled));
  pending.add(settled);
  return settled;
}

async function withFile<T>(
  path: string,
  read: (file: FileHandle, version: string) => Promise<T>,
): Promise<T> {
  // Opening a FIFO would otherwise wait for a writer. Windows has neither FIFOs among its files nor this flag.
  const file = await open(path, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) throw new Error(`${path} is not a regular file`);
    if (stats.size > MAX_BYTES) throw new Error(`${path} has ${stats.size} bytes; the limit is ${MAX_BYTES}`);
    const { ino, size, mtimeNs, ctimeNs } = stats;
    // From before the read, so that a change during it is found at the next one.
    return await read(file, [ino, size, mtimeNs, ctimeNs].join(' '));
  } finally {
    await file.close();
  }
}
