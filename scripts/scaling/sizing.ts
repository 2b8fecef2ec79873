// From what one request costs to what many need.

/** The share of its processors that a machine uses at the planned load: the rest is for peaks and for a machine that fails. */
export const UTILIZATION = 0.7;
const SECONDS_PER_HOUR = 3_600;
const IMAGES = 1_000_000;

/** Requests per second of one fully used core. */
export const perCoreSecond = (cpuMs: number): number => 1_000 / cpuMs;

/** The cores for a rate, rounded up. */
export const coresFor = (requestsPerSecond: number, cpuMs: number): number =>
  Math.ceil((requestsPerSecond * cpuMs) / 1_000 / UTILIZATION);

/** The machines for a rate: two at least, so that one may fail. */
export const machinesFor = (requestsPerSecond: number, cpuMs: number, coresEach: number): number =>
  Math.max(2, Math.ceil(coresFor(requestsPerSecond, cpuMs) / coresEach));

/** The processor time for a million images. */
export const coreHoursPerMillion = (cpuMs: number): number => (cpuMs / 1_000) * (IMAGES / SECONDS_PER_HOUR);
