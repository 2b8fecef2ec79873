// Debian's package manager, for what the project's own steps need and a machine lacks.
import { output, run, StepFailed } from '../lib/command.ts';

export function hasApt(): boolean {
  return process.platform === 'linux' && output('apt-get', ['--version']) !== undefined;
}

export function aptInstall(packages: string[], advice: string): void {
  asRoot(['apt-get', 'update', '-qq'], advice);
  const quiet = ['-o', 'DPkg::Lock::Timeout=300', '-y', '-qq', '--no-install-recommends'];
  asRoot(['env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', 'install', ...quiet, ...packages], advice);
}

export function asRoot([command, ...args]: string[], advice: string): void {
  if (command === undefined) throw new StepFailed('no command');
  const root = process.getuid?.() === 0;
  run(root ? command : 'sudo', root ? args : [command, ...args], { advice });
}
