// The benchmark's files, all of them in the cache.
import { join } from 'node:path';
import { cache } from '../../lib/command.ts';

const folder = join(cache, 'bench');

export const peersFolder = (name: string) => join(folder, 'peers', name);
export const picturesFolder = join(folder, 'pictures');
export const drawingsFolder = join(folder, 'drawings');
export const savedFolder = (name: string) => join(folder, 'saved', name);
export const reportFolder = join(folder, 'report');
