import { output } from '../lib/command.ts';

/** HAProxy; undefined if it is not installed. Debian has it in a folder that is not in everyone's PATH. */
export function findHaproxy(): string | undefined {
  return ['haproxy', '/usr/sbin/haproxy'].find((program) => output(program, ['-v']) !== undefined);
}
