import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { orMissing } from '../files/atomic-write.ts';
import type { Command } from './command.ts';
import { type InputImage, type Inputs, STREAM } from './inputs.ts';
import { UsageError } from './parse-args.ts';

/** An image to trace and where to write its SVG. */
export interface Task {
  from: string;
  to: string;
  /** Whether the user gave this exact name: an existing file is overwritten then. */
  isExplicit: boolean;
}

type OutputTarget =
  | { kind: 'next-to-image' }
  | { kind: 'folder'; folder: string }
  /** A file, a device, a pipe or stdout. */
  | { kind: 'file'; to: string };

/** Plans all outputs before any work, so that no run starts that would overwrite an image or an SVG of its own. */
export async function planOutputs(
  inputs: Inputs,
  command: Pick<Command, 'output' | 'keepsExtension'>,
): Promise<Task[]> {
  const target = await findTarget(command.output, inputs);
  const planned = inputs.images.map((image) => toTask(image, target, command.keepsExtension));
  const tasks = [
    ...new Map(planned.map((task) => [`${resolve(task.from)}\0${resolve(task.to)}`, task])).values(),
  ];
  await rejectCollisions(tasks);
  await rejectOverwrittenImages(tasks);
  return tasks;
}

async function findTarget(output: string | undefined, { isSingle, images }: Inputs): Promise<OutputTarget> {
  const isStdin = images[0]?.path === STREAM;
  if (output === undefined) return isStdin ? { kind: 'file', to: STREAM } : { kind: 'next-to-image' };
  if (output === '') throw new UsageError('--output must not be empty.');
  const stats = output === STREAM ? undefined : await orMissing(statIfReadable(output));
  if (stats?.isDirectory() === true || /[/\\]$/.test(output)) return { kind: 'folder', folder: output };
  const isSvg = extname(output).toLowerCase() === '.svg';
  const isSpecial = output === STREAM || stats?.isFile() === false;
  if (isSingle && (isSvg || isSpecial)) return { kind: 'file', to: output };
  if (isSingle) throw new UsageError(`-o ${output} is neither an SVG nor a folder: end it with .svg or /`);
  if (isSvg || isSpecial || stats !== undefined)
    throw new UsageError(`-o ${output} is a single file, but there are several inputs. Pass a folder.`);
  return { kind: 'folder', folder: output };
}

function toTask({ path, relativePath }: InputImage, target: OutputTarget, keepsExtension: boolean): Task {
  if (target.kind === 'file') return { from: path, to: target.to, isExplicit: true };
  const stem = path === STREAM ? 'stdin' : basename(path, keepsExtension ? '' : extname(path));
  const folder = target.kind === 'next-to-image' ? dirname(path) : join(target.folder, dirname(relativePath));
  return { from: path, to: join(folder, `${stem}.svg`), isExplicit: false };
}

async function rejectCollisions(tasks: Task[]): Promise<void> {
  const seen = new Map<string, Task>();
  const folders = new Map<string, string>();
  for (const task of tasks) {
    const folder = dirname(task.to);
    if (!folders.has(folder)) folders.set(folder, await realpath(folder).catch(() => resolve(folder)));
    const key = foldCase(join(folders.get(folder) ?? folder, basename(task.to)));
    const other = seen.get(key);
    if (other !== undefined) {
      const hint = 'Trace one of them, pass --keep-extension, or use different output folders.';
      throw new UsageError(`${other.from} and ${task.from} have the same output, ${task.to}. ${hint}`);
    }
    seen.set(key, task);
  }
}

/** Compares files by identity, as different paths can lead to the same file through links or letter case. */
async function rejectOverwrittenImages(tasks: Task[]): Promise<void> {
  const from = await Promise.all(tasks.map((task) => fileIdentity(task.from)));
  const to = await Promise.all(tasks.map((task) => fileIdentity(task.to)));
  const images = new Map(from.map((identity, index) => [identity, tasks[index]?.from]));
  for (const [index, identity] of to.entries()) {
    const image = identity === undefined ? undefined : images.get(identity);
    if (image !== undefined)
      throw new UsageError(`The output ${tasks[index]?.to} would overwrite the input image ${image}.`);
  }
}

/** Undefined for missing files, stdin, stdout and devices. */
async function fileIdentity(path: string): Promise<string | undefined> {
  if (path === STREAM) return undefined;
  const stats = await stat(path, { bigint: true }).catch(() => undefined);
  return stats?.isFile() === true ? `${stats.dev}:${stats.ino}` : undefined;
}

/** Resolves to undefined if the path cannot be examined: writing to it will fail and be reported. */
const statIfReadable = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error;
    return undefined;
  });

/** On Windows and macOS, names that differ only in case or in Unicode normalization are the same file. */
function foldCase(path: string): string {
  if (!['win32', 'darwin'].includes(process.platform)) return path;
  return path.normalize('NFC').toLowerCase();
}
