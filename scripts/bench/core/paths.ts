// Where the benchmark keeps what it makes and installs: nothing of it is committed.
import { join } from 'node:path';
import { cache } from '../../lib/command.ts';

const folder = join(cache, 'bench');

export const peersFolder = (name: string) => join(folder, 'peers', name);
export const nativePeersTarget = join(folder, 'native');
export const picturesFolder = join(folder, 'pictures');
export const drawingsFolder = join(folder, 'drawings');
export const savedFolder = (name: string) => join(folder, 'saved', name);
export const reportFolder = join(folder, 'report');
