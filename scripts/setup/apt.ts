import { output, run } from '../lib/command.ts';

export function hasApt(): boolean {
  return process.platform === 'linux' && output('apt-get', ['--version']) !== undefined;
}

/** Installs Debian packages, as root or with sudo. */
export function aptInstall(packages: string[]): void {
  asRoot('apt-get', 'update', '-qq');
  const quiet = ['-o', 'DPkg::Lock::Timeout=300', '-y', '-qq', '--no-install-recommends'];
  asRoot('env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', ...quiet, ...packages);
}

export function asRoot(command: string, ...args: string[]): void {
  const advice = 'npm run setup installs Debian packages and needs root or sudo for that';
  if (process.getuid?.() === 0) run(command, args, { advice });
  else run('sudo', [command, ...args], { advice });
}
