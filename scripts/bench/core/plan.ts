/** How long and how often to measure. */
export interface Effort {
  /** Sides of the pictures, in pixels. */
  sizes: number[];
  /** Samples per engine and picture, at most. */
  rounds: number;
  /** The processor time of a sample, which repeats the call. */
  sampleMs: number;
  /** The most processor time that warming up may take. */
  warmMs: number;
  /** About the most processor time of all samples of an engine on one picture; there is always one sample. */
  budgetMs: number;
  /** An engine whose calls take longer is stopped. */
  limitMs: number;
}

export const EFFORTS = {
  /** Some minutes on an idle machine. */
  quick: { sizes: [64, 256, 1024], rounds: 9, sampleMs: 10, warmMs: 1_500, budgetMs: 1_000, limitMs: 40_000 },
  /** Hours, most of which the peers take for large pictures. */
  full: {
    sizes: [64, 128, 256, 512, 1024, 2048, 4096],
    rounds: 21,
    sampleMs: 20,
    warmMs: 5_000,
    budgetMs: 8_000,
    limitMs: 180_000,
  },
  /** For tests: runs everything once and measures nothing. */
  smoke: { sizes: [64], rounds: 1, sampleMs: 0, warmMs: 0, budgetMs: 0, limitMs: 40_000 },
} satisfies Record<string, Effort>;

/** How much load the service gets. */
export interface RequestEffort {
  sides: number[];
  /** The workers and connections of each combination. */
  loads: { workers: 1 | 2; connections: number }[];
  rounds: number;
  /** A load ends after this time or this many requests, whichever comes first. */
  ms: number;
  requests: number;
}

const SIDES = [64, 256, 1024];
const LOADS: RequestEffort['loads'] = [
  { workers: 2, connections: 1 },
  { workers: 2, connections: 2 },
  { workers: 2, connections: 8 },
  { workers: 2, connections: 64 },
  { workers: 1, connections: 8 },
];
const SMOKE_LOADS: RequestEffort['loads'] = [
  { workers: 2, connections: 2 },
  { workers: 1, connections: 2 },
];

export const REQUEST_EFFORTS = {
  quick: { sides: SIDES, loads: LOADS, rounds: 3, ms: 2_000, requests: 2_000 },
  full: { sides: SIDES, loads: LOADS, rounds: 9, ms: 5_000, requests: 10_000 },
  smoke: { sides: [64], loads: SMOKE_LOADS, rounds: 1, ms: 10_000, requests: 4 },
} satisfies Record<string, RequestEffort>;

/** How many new processes trace their first images, for each runtime and picture. */
export const START_PROCESSES = { quick: 9, full: 21, smoke: 1 } satisfies Record<
  keyof typeof EFFORTS,
  number
>;
