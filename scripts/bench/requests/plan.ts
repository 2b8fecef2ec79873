/** How much load the service gets. */
export interface RequestEffort {
  sides: number[];
  /** The workers and connections of each combination. */
  loads: { workers: 1 | 2; connections: number }[];
  rounds: number;
  /** A load ends after this time or this many requests, whichever comes first. */
  ms: number;
  requests: number;
  /** The same before anything counts, for each size. */
  warmMs: number;
  warmRequests: number;
}

const ALL = {
  sides: [64, 256, 1024],
  loads: [
    ...[1, 2, 8, 64].map((connections) => ({ workers: 2 as const, connections })),
    { workers: 1 as const, connections: 8 },
  ],
};

export const REQUEST_EFFORTS = {
  quick: { ...ALL, rounds: 3, ms: 2_000, requests: 2_000, warmMs: 3_000, warmRequests: 100 },
  full: { ...ALL, rounds: 9, ms: 5_000, requests: 10_000, warmMs: 8_000, warmRequests: 300 },
  smoke: {
    sides: [64],
    loads: [
      { workers: 2, connections: 2 },
      { workers: 1, connections: 2 },
    ],
    rounds: 1,
    ms: 10_000,
    requests: 4,
    warmMs: 10_000,
    warmRequests: 2,
  },
} satisfies Record<string, RequestEffort>;
