// Prometheus's promtool, which checks and tests alert rules.
import { join } from 'node:path';
import { cache, output, say } from '../lib/command.ts';
import { extractProgram, hasApt } from './debian.ts';

const bin = join(cache, 'tools', 'bin');

/** A promtool on PATH, or the one of the project's cache. */
export function findPromtool(): string | undefined {
  return ['promtool', join(bin, 'promtool')].find((file) => output(file, ['--version']) !== undefined);
}

/**
 * Takes the program out of Debian's package, since installing that would start a server. The version is the one that the system's
 * release has: apt checks its signature, and the archive keeps no other.
 */
export function installPromtool(): void {
  if (!hasApt()) {
    console.warn('! Install this by hand: promtool');
    return;
  }
  say('apt-get download prometheus');
  extractProgram('prometheus', 'usr/bin/promtool', bin);
}
