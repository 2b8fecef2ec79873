import { type Dirent, readdir, stat } from 'node:fs';
import { stat as statOf } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { asFailure, type Failure, fileError } from './failure.ts';
import { UsageError } from './parse-args.ts';

/** How stdin is named among pictures, and stdout among drawings. */
export const STREAM = '-';

/** In folders, files are told by their names: opening each of them would take longer than some of the tracing. */
const EXTENSIONS = new Set(['.png', '.jpg', '.jpeg', '.jpe', '.jfif', '.webp', '.gif', '.bmp', '.dib']);
const ENDS_THE_BASE = /[*?[\]{}()!|]/;

/** A picture that was named, or found in a folder. */
export interface Picture {
  path: string;
  /** Its path below the folder that was named; its name alone where the picture itself was. */
  below: string;
}

export interface Found {
  pictures: Picture[];
  /** Folders that cannot be read, and why. */
  unreadable: { path: string; failure: Failure }[];
  /** How many files are no pictures by their names. */
  passedOver: number;
  /** Whether one picture was named, and nothing else: its drawing may have a name of its own, or go to stdout. */
  isOne: boolean;
}

/** Finds what the command line names: pictures, all pictures in folders and below, and those that a pattern fits. */
export async function findPictures(inputs: string[]): Promise<Found> {
  if (inputs.includes(STREAM) && inputs.length > 1)
    throw new UsageError('stdin (-) can only be traced by itself.');
  const found: Found = { pictures: [], unreadable: [], passedOver: 0, isOne: false };
  for (const input of inputs) await addInput(input, found, inputs.length === 1);
  return found;
}

async function addInput(input: string, found: Found, isOnly: boolean): Promise<void> {
  if (input === '') throw new UsageError('One of the names is empty.');
  const there = input === STREAM ? undefined : await statOf(input).catch(() => undefined);
  if (there?.isDirectory() === true) return addFolder(input, '**', found);
  if (there === undefined && input !== STREAM && isDynamicPattern(input)) return addPattern(input, found);
  if (extname(input).toLowerCase() === '.svg') {
    if (there === undefined) throw new UsageError(`Pictures come first; name the drawing by -o ${input}`);
    found.passedOver++;
    return;
  }
  // One that is not there fails in its turn, and the others go on.
  found.pictures.push({ path: input, below: basename(input) });
  found.isOne = isOnly;
}

/** `art/new/*.png` looks for `*.png` in `art/new`; that part of the path is not repeated in a folder of drawings. */
async function addPattern(pattern: string, found: Found): Promise<void> {
  // Their backslash is no escape: quoting is not needed there, as no shell expands patterns.
  const parts = pattern.split(process.platform === 'win32' ? /[/\\]/ : '/');
  const first = parts.findIndex((part) => ENDS_THE_BASE.test(part));
  const base = parts.slice(0, first).join('/');
  await addFolder(first > 0 && base === '' ? '/' : base, parts.slice(first).join('/'), found);
}

/** An empty folder is the one the program is in. */
async function addFolder(folder: string, pattern: string, found: Found): Promise<void> {
  const note = (path: string, error: unknown) => {
    const named = join(folder, relative(resolve(folder), path));
    found.unreadable.push({ path: named, failure: asFailure(fileError('cannot_read', error)) });
  };
  const names = await glob(pattern, {
    cwd: folder === '' ? '.' : folder,
    expandDirectories: false,
    // Links to folders can lead round in circles, and out of the folder that was named.
    followSymbolicLinks: false,
    fs: { readdir: readingDirectories(note) as typeof readdir },
  });
  for (const name of names.sort()) {
    const isPicture = EXTENSIONS.has(extname(name).toLowerCase());
    // A pattern can lead up again; its drawings stay in the folder that is for them.
    const below = name.startsWith('..') ? basename(name) : name;
    if (isPicture) found.pictures.push({ path: join(folder, name), below });
    else found.passedOver++;
  }
}

type Entries = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/** The glob takes folders that it cannot read for empty ones, and has no links to files without those to folders. */
function readingDirectories(note: (path: string, error: unknown) => void) {
  return (path: string, options: { withFileTypes: true }, done: Entries): void => {
    readdir(path, options, (error, entries = []) => {
      if (error !== null) note(path, error);
      Promise.all(entries.map((entry) => seeThrough(path, entry))).then((seen) => done(error, seen));
    });
  };
}

/** A link to a file as that file. One that leads nowhere too: reading it will fail, and be told. */
function seeThrough(folder: string, entry: Dirent): Promise<Dirent> | Dirent {
  if (!entry.isSymbolicLink()) return entry;
  return new Promise((resolve) => {
    stat(join(folder, entry.name), (error, target) => {
      const isFile = error !== null || target.isFile();
      const view = { isFile: () => true, isSymbolicLink: () => false };
      resolve(isFile ? Object.assign(Object.create(entry), view) : entry);
    });
  });
}
