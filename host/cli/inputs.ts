import { type Dirent, readdir, stat } from 'node:fs';
import { stat as statOf } from 'node:fs/promises';
import { basename, extname, join, relative, resolve } from 'node:path';
import { glob, isDynamicPattern } from 'tinyglobby';
import { asFailure, type Failure, fileError } from './failure.ts';
import { UsageError } from './parse-args.ts';

/** Stands for stdin as an input and for stdout as an output. */
export const STREAM = '-';

/** Files in folders are selected by extension: opening each file would take longer than tracing some of them. */
const EXTENSIONS = new Set(['.png', '.jpg', '.jpeg', '.jpe', '.jfif', '.webp', '.gif', '.bmp', '.dib']);
const PATTERN_CHARACTER = /[*?[\]{}()!|]/;

/** An image to trace. */
export interface InputImage {
  path: string;
  /** The path relative to the folder it was found in; the file name if the image itself was given. */
  relativePath: string;
}

export interface Inputs {
  images: InputImage[];
  /** Folders that could not be read. */
  unreadable: { path: string; failure: Failure }[];
  /** Number of files that were skipped because their names are not those of images. */
  skippedFiles: number;
  /** Whether a single image was given, so that its output may be a file or stdout. */
  isSingle: boolean;
}

/** Finds the images that the arguments of the command line name: files, folders with their subfolders, and patterns. */
export async function findImages(args: string[]): Promise<Inputs> {
  if (args.includes(STREAM) && args.length > 1)
    throw new UsageError('stdin (-) cannot be combined with other inputs.');
  const inputs: Inputs = { images: [], unreadable: [], skippedFiles: 0, isSingle: false };
  for (const arg of args) await addInput(arg, inputs, args.length === 1);
  return inputs;
}

async function addInput(arg: string, inputs: Inputs, isOnly: boolean): Promise<void> {
  if (arg === '') throw new UsageError('An input path is empty.');
  const stats = arg === STREAM ? undefined : await statOf(arg).catch(() => undefined);
  if (stats?.isDirectory() === true) return addFolder(arg, '**', inputs);
  if (stats === undefined && arg !== STREAM && isDynamicPattern(arg)) return addPattern(arg, inputs);
  if (extname(arg).toLowerCase() === '.svg') {
    if (stats === undefined)
      throw new UsageError(`${arg} is not an input image. To name the output, pass -o ${arg}`);
    inputs.skippedFiles++;
    return;
  }
  // A missing file fails when it is read, so that the others are still traced.
  inputs.images.push({ path: arg, relativePath: basename(arg) });
  inputs.isSingle = isOnly;
}

/** `art/new/*.png` finds `*.png` in `art/new`; the output folder does not repeat `art/new`. */
async function addPattern(pattern: string, inputs: Inputs): Promise<void> {
  // On Windows a backslash is a separator, not an escape: no shell expands patterns there, so none needs quoting.
  const parts = pattern.split(process.platform === 'win32' ? /[/\\]/ : '/');
  const first = parts.findIndex((part) => PATTERN_CHARACTER.test(part));
  const base = parts.slice(0, first).join('/');
  await addFolder(first > 0 && base === '' ? '/' : base, parts.slice(first).join('/'), inputs);
}

/** Adds the images in a folder that match a pattern. An empty `folder` is the working directory. */
async function addFolder(folder: string, pattern: string, inputs: Inputs): Promise<void> {
  const onError = (path: string, error: unknown) => {
    const shownPath = join(folder, relative(resolve(folder), path));
    inputs.unreadable.push({ path: shownPath, failure: asFailure(fileError('cannot_read', error)) });
  };
  const names = await glob(pattern, {
    cwd: folder === '' ? '.' : folder,
    expandDirectories: false,
    // Links to folders can form cycles and lead out of the folder.
    followSymbolicLinks: false,
    fs: { readdir: createReaddir(onError) as typeof readdir },
  });
  for (const name of names.sort()) {
    const isImage = EXTENSIONS.has(extname(name).toLowerCase());
    // A pattern with `..` can leave the folder, but its outputs must stay in the output folder.
    const relativePath = name.startsWith('..') ? basename(name) : name;
    if (isImage) inputs.images.push({ path: join(folder, name), relativePath });
    else inputs.skippedFiles++;
  }
}

type ReaddirCallback = (error: NodeJS.ErrnoException | null, entries: Dirent[]) => void;

/**
 * tinyglobby ignores unreadable folders and, without followSymbolicLinks, all links. This reports errors and keeps links
 * to files.
 */
function createReaddir(onError: (path: string, error: unknown) => void) {
  return (path: string, options: { withFileTypes: true }, callback: ReaddirCallback): void => {
    readdir(path, options, (error, entries = []) => {
      if (error !== null) onError(path, error);
      Promise.all(entries.map((entry) => resolveLink(path, entry))).then((resolved) =>
        callback(error, resolved),
      );
    });
  };
}

/** Makes a link to a file look like the file. A broken link as well: reading it will fail and be reported. */
function resolveLink(folder: string, entry: Dirent): Promise<Dirent> | Dirent {
  if (!entry.isSymbolicLink()) return entry;
  return new Promise((resolve) => {
    stat(join(folder, entry.name), (error, target) => {
      const isFile = error !== null || target.isFile();
      const methods = { isFile: () => true, isSymbolicLink: () => false };
      resolve(isFile ? Object.assign(Object.create(entry), methods) : entry);
    });
  });
}
