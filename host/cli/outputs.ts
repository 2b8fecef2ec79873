import { realpath, stat } from 'node:fs/promises';
import { basename, dirname, extname, join, resolve } from 'node:path';
import { orMissing } from '../files/atomic-write.ts';
import type { Command } from './command.ts';
import { type Found, type Picture, STREAM } from './inputs.ts';
import { UsageError } from './parse-args.ts';

/** One picture and where its drawing goes. */
export interface Task {
  from: string;
  to: string;
  /** Whether a person wrote this very name: then a file that is there is to be replaced. */
  isSpelled: boolean;
}

type Place =
  | { kind: 'beside' }
  | { kind: 'folder'; folder: string }
  /** A file, a device, a pipe or stdout. */
  | { kind: 'spelled'; to: string };

/** Names every drawing, before any work: nothing is begun that would end in a lost file. */
export async function planDrawings(
  found: Found,
  command: Pick<Command, 'output' | 'keepsExtension'>,
): Promise<Task[]> {
  const place = await placeOf(command.output, found);
  const planned = found.pictures.map((picture) => toTask(picture, place, command.keepsExtension));
  const tasks = [
    ...new Map(planned.map((task) => [`${resolve(task.from)}\0${resolve(task.to)}`, task])).values(),
  ];
  await refuseCollisions(tasks);
  await refuseLostPictures(tasks);
  return tasks;
}

async function placeOf(output: string | undefined, { isOne, pictures }: Found): Promise<Place> {
  const isStdin = pictures[0]?.path === STREAM;
  if (output === undefined) return isStdin ? { kind: 'spelled', to: STREAM } : { kind: 'beside' };
  if (output === '') throw new UsageError('--output needs a name.');
  const there = output === STREAM ? undefined : await orMissing(statThrough(output));
  if (there?.isDirectory() === true || /[/\\]$/.test(output)) return { kind: 'folder', folder: output };
  const isSvg = extname(output).toLowerCase() === '.svg';
  const isSpecial = output === STREAM || there?.isFile() === false;
  if (isOne && (isSvg || isSpecial)) return { kind: 'spelled', to: output };
  if (isOne) throw new UsageError(`-o ${output}: end a file’s name in .svg, a folder’s in /`);
  if (isSvg || isSpecial || there !== undefined)
    throw new UsageError(`-o ${output} holds one drawing; name a folder to hold all of them.`);
  return { kind: 'folder', folder: output };
}

function toTask({ path, below }: Picture, place: Place, keepsExtension: boolean): Task {
  if (place.kind === 'spelled') return { from: path, to: place.to, isSpelled: true };
  const stem = path === STREAM ? 'stdin' : basename(path, keepsExtension ? '' : extname(path));
  const folder = place.kind === 'beside' ? dirname(path) : join(place.folder, dirname(below));
  return { from: path, to: join(folder, `${stem}.svg`), isSpelled: false };
}

async function refuseCollisions(tasks: Task[]): Promise<void> {
  const seen = new Map<string, Task>();
  const folders = new Map<string, string>();
  for (const task of tasks) {
    const folder = dirname(task.to);
    if (!folders.has(folder)) folders.set(folder, await realpath(folder).catch(() => resolve(folder)));
    const key = foldCase(join(folders.get(folder) ?? folder, basename(task.to)));
    const other = seen.get(key);
    if (other !== undefined) {
      const hint = 'Choose one of them, use --keep-extension, or trace them into different folders.';
      throw new UsageError(`${other.from} and ${task.from} would both become ${task.to}. ${hint}`);
    }
    seen.set(key, task);
  }
}

/** By what the file system says, as names can differ in case, and lead through links. */
async function refuseLostPictures(tasks: Task[]): Promise<void> {
  const from = await Promise.all(tasks.map((task) => identityOf(task.from)));
  const to = await Promise.all(tasks.map((task) => identityOf(task.to)));
  const pictures = new Map(from.map((identity, index) => [identity, tasks[index]?.from]));
  for (const [index, identity] of to.entries()) {
    const lost = identity === undefined ? undefined : pictures.get(identity);
    if (lost !== undefined)
      throw new UsageError(`${tasks[index]?.to} would be written over the picture ${lost}.`);
  }
}

/** Undefined for what is not there, and for what is no file: stdin and stdout, devices. */
async function identityOf(path: string): Promise<string | undefined> {
  if (path === STREAM) return undefined;
  const there = await stat(path, { bigint: true }).catch(() => undefined);
  return there?.isFile() === true ? `${there.dev}:${there.ino}` : undefined;
}

/** What cannot be looked at is told when it is written to. */
const statThrough = (path: string) =>
  stat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw error;
    return undefined;
  });

/** On these systems, two names are one file where they differ only in case or in how an accent is put together. */
function foldCase(path: string): string {
  if (!['win32', 'darwin'].includes(process.platform)) return path;
  return path.normalize('NFC').toLowerCase();
}
