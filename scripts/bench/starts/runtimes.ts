import { join } from 'node:path';
import { output } from '../../lib/command.ts';
import { users } from '../../release/package-users.ts';
import type { Gap } from '../core/results.ts';

/** What runs JavaScript outside browsers. */
export interface Runtime {
  /** With its version. */
  name: string;
  command: string;
  /** What comes before the program and its arguments. */
  flags: string[];
}

/** The package and the picture are files. Whatever else would need a permission fails instead of asking for it. */
const DENO_FLAGS = ['run', '--no-prompt', '--allow-read'];
/** On PATH, or where `npm run prove-package` installs it. */
const DENOS = ['deno', join(users, 'node_modules', '.bin', 'deno')];

/** This Node.js, and the first Deno of `denos` that runs; none is a gap. */
export function findRuntimes(gaps: Gap[], denos = DENOS): Runtime[] {
  const node = { name: `Node.js ${process.versions.node}`, command: process.execPath, flags: [] };
  const deno = denos.flatMap(asDeno)[0];
  if (deno !== undefined) return [node, deno];
  gaps.push({ what: 'first images in Deno', why: 'there is no deno; npm run prove-package installs one' });
  return [node];
}

function asDeno(command: string): Runtime[] {
  const version = output(command, ['--version'])?.match(/^deno (\S+)/)?.[1];
  return version === undefined ? [] : [{ name: `Deno ${version}`, command, flags: DENO_FLAGS }];
}
