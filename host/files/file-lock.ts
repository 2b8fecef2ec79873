import { randomUUID } from 'node:crypto';
import { link, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

/** Whoever holds a lock for longer has hung, or died on another machine. */
const STALE_MS = 60_000;
/** A holder acts on its lock for this long; the rest is for clocks that differ and for the action itself. */
const TRUSTED_MS = STALE_MS / 2;
/** Long enough to see a lock become stale. */
const PATIENCE_MS = STALE_MS + 10_000;
const RETRY_MS = 15;

interface Holder {
  host: string;
  pid: number;
  sinceMs: number;
  token: string;
}

/** Throws when the lock is no longer one's own. */
export type AssertHeld = () => Promise<void>;

/**
 * Runs an action that no other process runs at the same time under the same lock file. A lock whose holder died is
 * removed under a lock named after that holder, so that of two who saw it dead, the slower cannot remove the lock that
 * the faster has taken since. (proper-lockfile 4.1 goes by age alone: after a kill everyone waits for seconds, and two
 * who see an old lock can both end up holding it.)
 */
export async function withLock<T>(path: string, action: (assertHeld: AssertHeld) => Promise<T>): Promise<T> {
  const mine = await acquire(path);
  const assertHeld = async () => {
    const isMine = (await readHolder(path))?.token === mine.token;
    if (!isMine || Date.now() - mine.sinceMs > TRUSTED_MS) throw new Error(`${path} was lost; try again`);
  };
  try {
    return await action(assertHeld);
  } finally {
    if ((await readHolder(path))?.token === mine.token) await rm(path, { force: true });
  }
}

async function acquire(path: string): Promise<Holder> {
  const deadline = Date.now() + PATIENCE_MS;
  for (;;) {
    const mine = { host: hostname(), pid: process.pid, sinceMs: Date.now(), token: randomUUID() };
    if (await create(path, mine)) return mine;
    const other = await readHolder(path);
    if (other === undefined) continue;
    if (isGone(other)) await remove(path, other.token);
    else if (Date.now() > deadline)
      throw new Error(`${path} is held by process ${other.pid} on ${other.host}`);
    else await sleep(RETRY_MS * (0.5 + Math.random()));
  }
}

/** Makes the lock file with its content in one step, or not at all: linking fails where a file is. */
async function create(path: string, holder: Holder): Promise<boolean> {
  const draft = `${path}.${holder.token}.tmp`;
  await writeFile(draft, JSON.stringify(holder), { flag: 'wx', mode: 0o600 });
  try {
    await link(draft, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(draft, { force: true });
  }
}

async function remove(path: string, token: string): Promise<void> {
  await withLock(`${path}.${token}`, async () => {
    if ((await readHolder(path))?.token === token) await rm(path, { force: true });
  });
}

async function readHolder(path: string): Promise<Holder | undefined> {
  try {
    return JSON.parse(await readFile(path, 'utf8')) as Holder;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw new Error(`${path} cannot be read as a lock; remove it if nobody is writing`, { cause: error });
  }
}

function isGone({ host, pid, sinceMs }: Holder): boolean {
  if (Date.now() - sinceMs > STALE_MS) return true;
  return host === hostname() && !isRunning(pid);
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Another user's process may not be signaled, but it is there.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
