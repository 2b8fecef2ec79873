import { randomUUID } from 'node:crypto';
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { orMissing } from './atomic-write.ts';

/** A lock older than this is abandoned: its holder hangs, or died on another machine. */
const STALE_MS = 60_000;
/** A holder relies on its lock for this long; the rest of STALE_MS allows for clock differences and the write itself. */
const TRUSTED_MS = STALE_MS / 2;
/** Long enough for a lock to become stale. */
const TIMEOUT_MS = STALE_MS + 10_000;
const RETRY_MS = 15;
/** Far longer than the two system calls between seeing an abandoned lock and replacing it. */
const TAKEOVER_MS = 500;

interface Holder {
  host: string;
  pid: number;
  sinceMs: number;
  token: string;
}

/** Throws if the lock has been lost. Call it just before the action takes effect. */
export type AssertHeld = () => Promise<void>;

/**
 * Runs `action` while holding the lock file `path`, which excludes all other processes that use the same path. A lock
 * whose holder died is taken over at once.
 *
 * (proper-lockfile 4.1 judges by age alone: after a crash everyone waits for seconds, and two processes that see the
 * same stale lock can both acquire it.)
 */
export async function withLock<T>(path: string, action: (assertHeld: AssertHeld) => Promise<T>): Promise<T> {
  const mine = await acquire(path);
  const assertHeld = async () => {
    if (!(await isHeldBy(mine, path)) || Date.now() - mine.sinceMs > TRUSTED_MS)
      throw new Error(`The lock ${path} was lost. Nothing was changed; try again.`);
  };
  try {
    return await action(assertHeld);
  } finally {
    if (await isHeldBy(mine, path)) await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<Holder> {
  const deadline = Date.now() + TIMEOUT_MS;
  for (;;) {
    const mine = { host: hostname(), pid: process.pid, sinceMs: Date.now(), token: randomUUID() };
    if (await tryAcquire(path, mine)) return mine;
    if (Date.now() > deadline) throw new Error(await timeoutMessage(path));
    await sleep(RETRY_MS * (0.5 + Math.random()));
  }
}

/**
 * Creates the lock file, or replaces an abandoned one. Several processes may replace the same abandoned lock, one after
 * the other; the last one holds it. Each finds out which that is by waiting until the others must have finished
 * (Fischer's algorithm). A process that was delayed for longer is caught by `assertHeld`.
 */
async function tryAcquire(path: string, mine: Holder): Promise<boolean> {
  const temporaryPath = `${path}.${mine.token}.tmp`;
  await writeFile(temporaryPath, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
  try {
    if (await linkIfMissing(temporaryPath, path)) return true;
    const holder = await readHolder(path);
    if (holder === undefined || !isAbandoned(holder)) return false;
    await rename(temporaryPath, path);
  } finally {
    await rm(temporaryPath, { force: true });
  }
  await sleep(TAKEOVER_MS);
  return isHeldBy(mine, path);
}

/** Links a complete file into place, so that no reader finds a lock without a holder. False if `path` exists. */
async function linkIfMissing(temporaryPath: string, path: string): Promise<boolean> {
  try {
    await link(temporaryPath, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

async function isHeldBy({ token }: Holder, path: string): Promise<boolean> {
  return (await readHolder(path))?.token === token;
}

/** Undefined if nobody holds the lock. */
async function readHolder(path: string): Promise<Holder | undefined> {
  const text = await orMissing(readFile(path, 'utf8'));
  if (text === undefined) return undefined;
  try {
    return JSON.parse(text) as Holder;
  } catch (error) {
    const message = `${path} is not a valid lock file. Delete it if no process is changing the keys.`;
    throw new Error(message, { cause: error });
  }
}

async function timeoutMessage(path: string): Promise<string> {
  const holder = await readHolder(path);
  const name = holder === undefined ? 'another process' : `process ${holder.pid} on ${holder.host}`;
  return `The lock ${path} is held by ${name}. Gave up after ${TIMEOUT_MS / 1000} s.`;
}

function isAbandoned({ host, pid, sinceMs }: Holder): boolean {
  if (Date.now() - sinceMs > STALE_MS) return true;
  return host === hostname() && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // A process of another user cannot be signaled, but it is running.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
