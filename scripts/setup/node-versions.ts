import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { cache, npmInstall, output, pathWith, say } from '../lib/command.ts';

/** Supported besides the oldest version, which package.json names. */
const VERSIONS = [22, 24];

/** A Node.js other than the one that runs this script. */
export interface Node {
  version: string;
  program: string;
  /** The environment in which `node` is this one. */
  env: Record<string, string>;
}

/** Downloads the other supported versions of Node.js from npm into the cache. */
export function installNodeVersions(): Node[] {
  const name = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
  return VERSIONS.map((version) => {
    const folder = join(cache, `node-${version}`);
    const file = process.platform === 'win32' ? 'node.exe' : 'node';
    const program = join(folder, 'node_modules', name, 'bin', file);
    if (!existsSync(program)) {
      say(`npm install ${name}@${version} (once)`);
      npmInstall(folder, `${name}@${version}`);
    }
    const env = { PATH: pathWith(dirname(program)) };
    return { version: output(program, ['--version']) ?? '', program, env };
  });
}
