import { randomBytes } from 'node:crypto';
import { createReadStream, rmSync } from 'node:fs';
import { lstat, mkdir, realpath, stat, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileTooLarge } from '../errors/details.ts';
import { Problem } from '../errors/problem.ts';
import { orMissing, writeAtomically } from '../files/atomic-write.ts';
import type { ExistingFilePolicy } from './command.ts';
import { FileError, fileError } from './failure.ts';
import { STREAM } from './inputs.ts';
import type { Task } from './outputs.ts';

/** The usual mode of new files; the umask reduces it. */
const PUBLIC_MODE = 0o666;

/** Temporary files that are being written. */
const temporaryPaths = new Set<string>();

/** Whether the SVG of a task exists and is to be kept. Throws `output_exists` if it may be neither kept nor replaced. */
export async function keepsExisting(
  { to, isExplicit }: Pick<Task, 'to' | 'isExplicit'>,
  existing: ExistingFilePolicy,
): Promise<boolean> {
  if (isExplicit || existing === 'replace' || !(await exists(to))) return false;
  if (existing === 'keep') return true;
  throw new FileError('output_exists', `${to} already exists. Pass --force to overwrite it.`);
}

/** Reads a file, a pipe or stdin up to `maxBytes`. Counts the bytes read, as pipes and devices have no reliable size. */
export async function readImage(path: string, maxBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    for await (const chunk of path === STREAM ? process.stdin : createReadStream(path)) {
      length += chunk.length;
      if (length > maxBytes) throw fileTooLarge(maxBytes);
      chunks.push(chunk);
    }
  } catch (error) {
    throw error instanceof Problem ? error : fileError('cannot_read', error);
  }
  return Buffer.concat(chunks);
}

/** Writes an SVG to a file or stdout, and creates its folder. A file is complete or absent, never partly written. */
export async function writeSvg(path: string, svg: Uint8Array): Promise<void> {
  try {
    if (path === STREAM) await writeToStdout(svg);
    else await writeToFile(path, svg);
  } catch (error) {
    throw fileError('cannot_write', error);
  }
}

/** Deletes unfinished files. Synchronous, as the process is about to end. */
export function removeTemporaryFiles(): void {
  for (const path of temporaryPaths) rmSync(path, { force: true });
}

async function writeToFile(path: string, svg: Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  // Renaming would replace a symbolic link, a device or a pipe instead of writing to it.
  const target = (await orMissing(realpath(path))) ?? path;
  const stats = await orMissing(stat(target));
  if (stats !== undefined && !stats.isFile()) return writeFile(target, svg);
  // Not derived from the name of the SVG, which may have the maximum length already.
  const temporaryPath = join(dirname(target), `.tracesmith-${randomBytes(8).toString('hex')}.tmp`);
  temporaryPaths.add(temporaryPath);
  try {
    await writeAtomically(target, svg, { temporaryPath, mode: PUBLIC_MODE, isDurable: false });
  } finally {
    temporaryPaths.delete(temporaryPath);
  }
}

function writeToStdout(svg: Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    process.stdout.write(svg, (error) => (error ? reject(error) : resolve()));
  });
}

/** True for a broken link, too. */
const exists = (path: string) =>
  lstat(path).then(
    () => true,
    () => false,
  );

/** The number of paths in an SVG. */
export function countPaths(svg: Uint8Array): number {
  const bytes = Buffer.from(svg.buffer, svg.byteOffset, svg.length);
  let count = 0;
  for (let at = bytes.indexOf('<path'); at >= 0; at = bytes.indexOf('<path', at + 1)) count++;
  return count;
}
