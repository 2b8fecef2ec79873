import { setTimeout as sleep } from 'node:timers/promises';
import { pendingReads } from '../files/read-regular-file.ts';
import { flushLog, log } from '../observability/log.ts';

/** Reading the key file takes milliseconds, unless the file system hangs; a thread ends in milliseconds, unless it decodes. */
const GRACE_MS = 1_000;

/** Writing the log takes milliseconds, unless the reader of stderr hangs; on a busy machine, it took more than a second. */
const LOG_GRACE_MS = 5_000;

/**
 * Ends the process. At an exit, Node.js waits for its threads. One that waits for a hanging file system, or for a reader of stderr,
 * never ends, and one that decodes an image may take long: then the process kills itself. `workers` settles when those have ended.
 */
export async function exit(code: number, workers?: Promise<void>): Promise<void> {
  const [hasRead, haveEnded] = await Promise.all([
    isDone(pendingReads(), GRACE_MS),
    isDone(workers, GRACE_MS),
  ]);
  if (!hasRead) log('error', 'a read of the key file does not end; killing the process');
  if (!haveEnded) log('warn', 'a worker thread does not end; killing the process');
  // At an exit, lines may pass an earlier one that is being written.
  const isLogged = await isDone(flushLog(), LOG_GRACE_MS);
  if (hasRead && haveEnded && isLogged) process.exit(code);
  process.kill(process.pid, 'SIGKILL');
}

/** Whether something is done within a time; it is, if there is nothing to do. */
function isDone(work: Promise<unknown> | undefined, graceMs: number): Promise<boolean> {
  return Promise.race([Promise.resolve(work).then(() => true), sleep(graceMs, false)]);
}
