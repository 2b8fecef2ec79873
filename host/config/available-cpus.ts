import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Where Linux shows the CPU limit of a container: in cgroup v2 in one file, in v1 in two. */
const CGROUP_FOLDER = '/sys/fs/cgroup';
const V2_FILE = 'cpu.max';
const V1_FILES = ['cpu/cpu.cfs_quota_us', 'cpu/cpu.cfs_period_us'];

/**
 * The number of CPUs that the process may use: at most what its container allows, rounded up. `availableParallelism` knows
 * about containers only from libuv 1.49 on, which Node.js 20 does not have.
 */
export function availableCpus(folder = CGROUP_FOLDER, machine = availableParallelism()): number {
  const limit = quota([V2_FILE], folder) ?? quota(V1_FILES, folder);
  return limit === undefined ? machine : Math.max(1, Math.min(machine, Math.ceil(limit)));
}

/** The quota divided by the period, of two numbers in one file or in two. Undefined without a limit, or without the files. */
function quota(files: readonly string[], folder: string): number | undefined {
  try {
    const text = files.map((file) => readFileSync(`${folder}/${file}`, 'utf8')).join(' ');
    const [quotaUs = Number.NaN, periodUs = Number.NaN] = text.trim().split(/\s+/).map(Number);
    return quotaUs > 0 && periodUs > 0 ? quotaUs / periodUs : undefined;
  } catch {
    return undefined;
  }
}
