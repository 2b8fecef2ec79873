/** How long and how often the service is called. */
export interface RequestEffort {
  sides: number[];
  connections: number[];
  rounds: number;
  /** One cell of one round lasts so long at most, or so many requests. */
  ms: number;
  requests: number;
  /** Before anything counts, so many requests for each size, or so long. */
  warmRequests: number;
  warmMs: number;
  /** The size and the connections by which one worker is held against two. */
  duel: { side: number; connections: number; rounds: number };
}

const ALL = { sides: [64, 256, 1024], connections: [1, 2, 8, 64] };

export const REQUEST_EFFORTS = {
  quick: {
    ...ALL,
    rounds: 2,
    ms: 2_000,
    requests: 2_000,
    warmRequests: 100,
    warmMs: 3_000,
    duel: { side: 1024, connections: 8, rounds: 5 },
  },
  full: {
    ...ALL,
    rounds: 5,
    ms: 5_000,
    requests: 10_000,
    warmRequests: 300,
    warmMs: 8_000,
    duel: { side: 1024, connections: 8, rounds: 15 },
  },
  smoke: {
    sides: [64],
    connections: [2],
    rounds: 1,
    ms: 10_000,
    requests: 4,
    warmRequests: 1,
    warmMs: 10_000,
    duel: { side: 64, connections: 2, rounds: 1 },
  },
} satisfies Record<string, RequestEffort>;
