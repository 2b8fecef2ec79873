/** How long and how often is measured. */
export interface Effort {
  /** Sides of the pictures, in pixels. */
  sizes: number[];
  /** Most samples per engine and picture. */
  rounds: number;
  /** A sample repeats the call until it takes about this much processor time. */
  sampleMs: number;
  /** At most so much processor time goes by before anything counts, for compilers to do their part. */
  warmMs: number;
  /** About the most processor time that an engine's samples of one picture get; one sample they always get. */
  budgetMs: number;
  /** An engine that takes longer for its calls is given up. */
  limitMs: number;
}

export const EFFORTS = {
  /** Some minutes on an idle machine. */
  quick: { sizes: [256, 1024], rounds: 9, sampleMs: 10, warmMs: 1_500, budgetMs: 1_000, limitMs: 40_000 },
  /** Hours, most of them spent on the peers' large pictures. */
  full: {
    sizes: [64, 128, 256, 512, 1024, 2048, 4096],
    rounds: 21,
    sampleMs: 20,
    warmMs: 5_000,
    budgetMs: 8_000,
    limitMs: 180_000,
  },
  /** Proves that everything works, and measures nothing. */
  smoke: { sizes: [64], rounds: 1, sampleMs: 0, warmMs: 0, budgetMs: 0, limitMs: 40_000 },
} satisfies Record<string, Effort>;
