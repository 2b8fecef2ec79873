import { readFile } from 'node:fs/promises';
import { HOST_FOLDER } from '#host-folder';
import { SITE_PATHS, SITE_TYPES, type Site } from './files.ts';

/** Reads the files that `npm run build:service` has built. In the production build, this module replaces `build.ts`. */
export async function loadSite(): Promise<Site> {
  const read = (name: string) => readFile(new URL(`site/${name}`, HOST_FOLDER));
  const files = SITE_PATHS.map(async (path) => {
    const [bytes, gzipped] = await Promise.all([read(path), read(`${path}.gz`)]);
    return [path, { type: SITE_TYPES[path], bytes, gzipped }] as const;
  });
  return new Map(await Promise.all(files));
}
