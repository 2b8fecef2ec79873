// @ts-check
// The CPU time of the calling thread. Plain JavaScript with checked types, like worker.mjs.
import { readFileSync } from 'node:fs';

/** The kernel's account of a thread: its CPU time in nanoseconds comes first. All zero where a sandbox does not keep it. */
const SCHEDSTAT = '/proc/thread-self/schedstat';

/** @typedef {NodeJS.Process & { threadCpuUsage?: () => NodeJS.CpuUsage }} NewerProcess */

/** @type {() => number} */
const elapsedMs = () => performance.now();

/**
 * A clock in milliseconds: CPU time, by Node.js (from 22.15 and 23.9 on) or by Linux, else elapsed time.
 *
 * @returns {() => number}
 */
function findClock() {
  const { threadCpuUsage } = /** @type {NewerProcess} */ (process);
  if (threadCpuUsage !== undefined) {
    return () => {
      const { user, system } = threadCpuUsage.call(process);
      return (user + system) / 1000;
    };
  }
  try {
    if (schedstatMs() > 0) return schedstatMs;
  } catch {
    // Not Linux.
  }
  return elapsedMs;
}

function schedstatMs() {
  return Number(readFileSync(SCHEDSTAT, 'utf8').split(' ', 1)[0]) / 1e6;
}

export const cpuMs = findClock();
