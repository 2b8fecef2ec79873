export type LogFields = Record<string, string | number | boolean | undefined>;

/** Writes one line of JSON to stderr. Callers pass named fields only: never headers, never bytes of an image. */
export function log(level: 'info' | 'warn' | 'error', message: string, fields: LogFields = {}): void {
  const line = { time: new Date().toISOString(), level, message, ...fields };
  process.stderr.write(`${JSON.stringify(line)}\n`);
}

/** What an error says about itself, with the errors that caused it. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause === undefined ? '' : ` ← ${describe(error.cause)}`;
  return `${error.stack ?? error.message}${cause}`;
}
