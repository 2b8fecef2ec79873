// The HTTP clients that the service is tried with: none of them is needed to run or to build.
import { join } from 'node:path';
import { output, root, run, StepFailed } from '../lib/command.ts';
import { ensureKit, kitFolder, npmCi } from './cached-install.ts';

export const clients = join(root, 'test', 'clients');
export const nodeClients = kitFolder('node-clients');
export const pythonClients = kitFolder('python-clients');

const [bin, suffix] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];

/** A program of the Python clients' own environment. */
export const pythonProgram = (name: string) => join(pythonClients, 'venv', bin, `${name}${suffix}`);

export function ensureClients(): void {
  ensureKit({
    name: 'node-clients',
    source: join(clients, 'node'),
    list: 'package-lock.json',
    install: npmCi,
  });
  ensureKit({
    name: 'python-clients',
    source: join(clients, 'python'),
    list: 'requirements.txt',
    install: installPython,
  });
}

function installPython(folder: string): void {
  run(findPython(), ['-m', 'venv', 'venv'], { cwd: folder });
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(pythonProgram('pip'), ['install', ...quiet, '-r', 'requirements.txt'], { cwd: folder });
}

function findPython(): string {
  const check = 'import sys, venv; sys.exit(sys.version_info < (3, 10))';
  const found = ['python3', 'python'].find((name) => output(name, ['-c', check]) !== undefined);
  if (found === undefined)
    throw new StepFailed('trying the Python clients needs Python 3.10 or later, with venv');
  return found;
}
