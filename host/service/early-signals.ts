// Imported before all others, as loading them takes a good part of the start.
import { log } from '../observability/log.ts';
import { exit } from './exit.ts';

/** The signals that end the service. */
export const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** Ends the process while it starts: without a listener, a signal has no effect on the first process of a container. */
export function endStart(signal: string): void {
  log('info', 'stopped while starting', { signal });
  void exit(0);
}

for (const signal of SIGNALS) process.on(signal, endStart);
