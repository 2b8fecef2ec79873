import { setTimeout as sleep } from 'node:timers/promises';
import { pendingReads } from '../files/read-regular-file.ts';
import { flushLog, log } from '../observability/log.ts';

/** Reading the key file takes milliseconds, unless the file system hangs. */
const READ_GRACE_MS = 1_000;

/** Writing the log takes milliseconds, unless the reader of stderr hangs; on a busy machine, it took more than a second. */
const LOG_GRACE_MS = 5_000;

/**
 * Ends the process. At an exit, Node.js waits for its file system threads, and one that waits for a hanging file system, or
 * for a reader of stderr, never ends: then the process kills itself.
 */
export async function exit(code: number): Promise<void> {
  const isDone = await Promise.race([pendingReads().then(() => true), sleep(READ_GRACE_MS, false)]);
  if (!isDone) log('error', 'a read of the key file does not end; killing the process');
  // At an exit, lines may pass an earlier one that is being written.
  const isLogged = await Promise.race([flushLog().then(() => true), sleep(LOG_GRACE_MS, false)]);
  if (isDone && isLogged) process.exit(code);
  process.kill(process.pid, 'SIGKILL');
}
