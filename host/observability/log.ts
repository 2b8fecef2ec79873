import pino from 'pino';
import type { LogLevel } from '../config/settings.ts';

export type LogFields = Record<string, string | number | boolean | undefined>;

/** Lines that nobody reads are kept up to this; then they are lost, so that a stalled reader stops no request. */
const MOST_UNREAD_BYTES = 16 * 1024 * 1024;

const logger = pino(
  {
    base: null,
    messageKey: 'message',
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (level) => ({ level }) },
  },
  pino.destination({ dest: process.stderr.fd, sync: false, maxLength: MOST_UNREAD_BYTES }),
);

/** Writes one line of JSON to stderr. Callers pass named fields only: never headers, never bytes of an image. */
export function log(level: LogLevel, message: string, fields: LogFields = {}): void {
  logger[level](fields, message);
}

/** Lines below this level are not written. */
export function setLogLevel(level: LogLevel): void {
  logger.level = level;
}

/** What an error says about itself, with the errors that caused it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` ← ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
