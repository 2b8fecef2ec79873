import pino from 'pino';
import type { LogLevel } from '../config/settings.ts';

export type LogFields = Record<string, string | number | boolean | undefined>;

/** While nobody reads stderr, up to this much is buffered and the rest is dropped, so that logging never blocks a request. */
const MAX_BUFFERED_BYTES = 16 * 1024 * 1024;

const destination = pino.destination({
  dest: process.stderr.fd,
  sync: false,
  maxLength: MAX_BUFFERED_BYTES,
  minLength: 8192,
  periodicFlush: 50,
});
// A full disk, for example, which would end the process. The lines wait in the buffer until they can be written.
destination.on('error', () => {
  // At an exit, it would try for as long as it fails.
  destination.flushSync = () => {};
});

/** Characters that JSON does not escape although some readers end a line there, or terminals obey them. */
const LINE_BREAKS_AND_CONTROLS = /[\u007f-\u009f\u2028\u2029]/g;

const escapeCode = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

const logger = pino(
  {
    hooks: { streamWrite: (line) => line.replace(LINE_BREAKS_AND_CONTROLS, escapeCode) },
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  destination,
);

/** Writes one line of JSON to stderr. Fields must not contain request headers or image data. */
export function log(level: LogLevel, message: string, fields: LogFields = {}): void {
  logger[level](fields, message);
}

/** Writes what is buffered. Resolves when the last line logged has been written, or cannot be; never, if nobody reads stderr. */
export async function flushLog(): Promise<void> {
  // The first may end with a write that was in progress, before lines that wait behind it.
  for (let flushes = 0; flushes < 2; flushes++) {
    await new Promise<void>((resolve) => {
      destination.flush(() => resolve());
    });
  }
}

/** Sets the lowest level that is written. */
export function setLogLevel(level: LogLevel): void {
  logger.level = level;
}

/** The stack of an error, followed by those of its causes. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` ← ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
