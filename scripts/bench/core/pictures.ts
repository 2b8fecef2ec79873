// The pictures of a run, as files of raw RGBA.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import sharp from 'sharp';
import { StepFailed } from '../../lib/command.ts';
import { KINDS, type Kind } from './kinds.ts';
import { picturesFolder } from './paths.ts';
import type { PictureInfo } from './results.ts';

export interface Picture extends PictureInfo {
  /** Whether it is one drawing in several sizes, so that the time of one size predicts that of the next. */
  scales: boolean;
  /** Writes the RGBA file unless it exists; resolves with its path. */
  file(): Promise<string>;
}

/** The drawn pictures: all sizes of a kind, then the next kind. */
export function drawnPictures(kinds: string[], sizes: number[]): Picture[] {
  const chosen = KINDS.filter(({ name }) => kinds.includes(name));
  return chosen.flatMap((kind) => sizes.map((side) => drawnPicture(kind, side)));
}

function drawnPicture(kind: Kind, side: number): Picture {
  const name = `${kind.name}-${side}`;
  const file = () => cached(`${name}-${drawingVersion()}`, async () => kind.draw(side));
  return { kind: kind.name, name, mode: kind.mode, width: side, height: side, scales: true, file };
}

/** A hash of the code that draws and of the renderer's version. */
function drawingVersion(): string {
  const digest = createHash('sha256').update(JSON.stringify(sharp.versions));
  for (const source of ['./kinds.ts', './art.ts'])
    digest.update(readFileSync(new URL(source, import.meta.url)));
  return digest.digest('hex').slice(0, 12);
}

async function cached(name: string, make: () => Promise<Buffer>): Promise<string> {
  const file = join(picturesFolder, `${name}.rgba`);
  if (existsSync(file)) return file;
  mkdirSync(picturesFolder, { recursive: true });
  writeFileSync(file, await make());
  return file;
}

/** The pictures in a folder; their kinds are the names of its subfolders. */
export async function picturesIn(folder: string, mode: PictureInfo['mode']): Promise<Picture[]> {
  if (!existsSync(folder)) throw new StepFailed(`--pictures: ${folder} does not exist`);
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  const files = names
    .filter((name) => /\.(png|jpe?g|webp|gif)$/i.test(name))
    .map((name) => join(folder, name));
  if (files.length === 0) throw new StepFailed(`--pictures: ${folder} has no PNG, JPEG, WebP or GIF files`);
  return Promise.all(files.map((file) => foundPicture(file, folder, mode)));
}

async function foundPicture(path: string, folder: string, mode: PictureInfo['mode']): Promise<Picture> {
  const pixels = () => sharp(path).autoOrient().toColourspace('srgb').ensureAlpha().raw({ depth: 'uchar' });
  const { autoOrient: size } = await sharp(path).metadata();
  const name = relative(folder, path);
  const id = createHash('sha256').update(path).update(readFileSync(path)).digest('hex').slice(0, 12);
  const kind = dirname(name) === '.' ? basename(folder) : dirname(name);
  return {
    kind,
    name,
    mode,
    ...size,
    scales: false,
    file: () => cached(`found-${id}`, () => pixels().toBuffer()),
  };
}
