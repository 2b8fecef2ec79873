// Programs of Python packages, in virtual environments.
import { join } from 'node:path';
import { output, run, StepFailed } from '../lib/command.ts';

const [bin, suffix] = process.platform === 'win32' ? ['Scripts', '.exe'] : ['bin', ''];

/** A program of a virtual environment. */
export const programIn = (folder: string, name: string) => join(folder, bin, `${name}${suffix}`);

/** Installs packages in a virtual environment; takes a few seconds if they are there already. */
export function installPython(folder: string, requirements: string, flags: string[] = []): void {
  run(findPython(), ['-m', 'venv', folder]);
  const quiet = ['--quiet', '--disable-pip-version-check'];
  run(programIn(folder, 'pip'), ['install', ...quiet, ...flags, '-r', requirements]);
}

function findPython(): string {
  const check = 'import sys, ensurepip, venv; sys.exit(sys.version_info < (3, 10))';
  const found = ['python3', 'python'].find((name) => output(name, ['-c', check]) !== undefined);
  if (found !== undefined) return found;
  throw new StepFailed('Python 3.10 or later with venv is required: on Debian apt-get install python3-venv');
}
