// The linters of deploy/.
import { join } from 'node:path';
import { cache, root, say } from '../lib/command.ts';
import { installPython, programIn } from './python.ts';

const linters = join(cache, 'deploy-linters');

/** A linter that comes as a Python package. */
export const linter = (name: string) => programIn(linters, name);

export function installLinters(): void {
  say('Installing the linters');
  installPython(linters, join(root, 'test', 'deploy', 'requirements.txt'));
}
