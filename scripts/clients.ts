// The HTTP clients that the service is tried with, each kind in a folder of the project: none of them is needed to run or to build.
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, output, root, run, StepFailed, say } from './command.ts';

export const clients = join(root, 'test', 'clients');
/** Copies of the folders of the same names in `clients`, with the packages that they ask for. */
export const nodeClients = join(cache, 'clients', 'node');
export const pythonClients = join(cache, 'clients', 'python');

const [bin, suffix] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];

/** A program of the Python clients' own environment. */
export const pythonProgram = (name: string) => join(pythonClients, 'venv', bin, `${name}${suffix}`);

export function ensureClients(): void {
  ensure('node', 'package-lock.json', () =>
    run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: nodeClients }),
  );
  ensure('python', 'requirements.txt', () => {
    run(findPython(), ['-m', 'venv', 'venv'], { cwd: pythonClients });
    const quiet = ['--quiet', '--disable-pip-version-check'];
    run(pythonProgram('pip'), ['install', ...quiet, '-r', 'requirements.txt'], { cwd: pythonClients });
  });
}

/** Copies the folder's files; installs only when what it asks for has changed. */
function ensure(name: string, list: string, install: () => void): void {
  const folder = join(cache, 'clients', name);
  const stamp = join(folder, '.installed');
  const wanted = createHash('sha256')
    .update(readFileSync(join(clients, name, list)))
    .digest('hex');
  const isThere = existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted;
  if (!isThere) rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  cpSync(join(clients, name), folder, { recursive: true });
  if (isThere) return;
  say(`Installing the ${name} clients (once)`);
  install();
  writeFileSync(stamp, wanted);
}

function findPython(): string {
  const check = `import sys, venv; sys.exit(sys.version_info < (3, 10))`;
  const found = ['python3', 'python'].find((name) => output(name, ['-c', check]) !== undefined);
  if (found === undefined)
    throw new StepFailed('trying the Python clients needs Python 3.10 or later, with venv');
  return found;
}
