// The HTTP clients that `npm run prove-api` runs against the service.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { cache, npmInstall, output, root, run, StepFailed, say } from '../lib/command.ts';

const clients = join(root, 'test', 'clients');
export const nodeClients = join(cache, 'node-clients');
export const pythonClients = join(cache, 'python-clients');

const [bin, suffix] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];

/** A program of the Python clients' virtual environment. */
export const pythonProgram = (name: string) => join(pythonClients, 'venv', bin, `${name}${suffix}`);

/** Installs the clients in the cache; takes a few seconds if they are there already. */
export function installClients(): void {
  say('Installing the HTTP clients');
  cpSync(join(clients, 'node'), nodeClients, { recursive: true });
  cpSync(join(clients, 'python'), pythonClients, { recursive: true });
  npmInstall(nodeClients);
  run(findPython(), ['-m', 'venv', join(pythonClients, 'venv')]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(pythonProgram('pip'), ['install', ...quiet, '-r', join(pythonClients, 'requirements.txt')]);
}

function findPython(): string {
  const check = 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))';
  const found = ['python3', 'python'].find((name) => output(name, ['-c', check]) !== undefined);
  if (found !== undefined) return found;
  throw new StepFailed('Python 3.10 or later with venv is required: on Debian apt-get install python3-venv');
}
