/** A linear congruential generator of numbers from 0 to 1, the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** The value below which this share of the values lies, interpolated. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const at = part * (sorted.length - 1);
  const [below, above] = [sorted[Math.floor(at)] ?? Number.NaN, sorted[Math.ceil(at)] ?? Number.NaN];
  return below + (above - below) * (at - Math.floor(at));
}

export const median = (values: readonly number[]) => quantile(values, 0.5);

export function geometricMean(values: readonly number[]): number {
  return Math.exp(values.reduce((sum, value) => sum + Math.log(value), 0) / values.length);
}

export const mean = (values: readonly number[]) =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

/** A ratio with its 99 % confidence interval. */
export interface Ratio {
  value: number;
  low: number;
  high: number;
  /** The smallest number of samples of any picture. */
  rounds: number;
}

/** Samples of two engines on one picture, from the same rounds. */
export interface Pair {
  ours: readonly number[];
  theirs: readonly number[];
}

const RESAMPLINGS = 1_000;

/**
 * The geometric mean over pictures of the ratio of medians. Its interval comes from the bootstrap: rounds are drawn with
 * repetition (B. Efron, "Bootstrap Methods: Another Look at the Jackknife", 1979). The interval covers the machine's noise, not
 * other pictures. Both engines get the same rounds, so that a disturbance of both cancels out.
 */
export function ratio(pairs: readonly Pair[]): Ratio {
  const value = geometricMean(pairs.map(({ ours, theirs }) => median(ours) / median(theirs)));
  const random = randomNumbers(1);
  const drawn = Array.from({ length: RESAMPLINGS }, () =>
    geometricMean(pairs.map((pair) => resampled(pair, random))),
  );
  const rounds = Math.min(...pairs.map(({ ours, theirs }) => Math.min(ours.length, theirs.length)));
  return { value, low: quantile(drawn, 0.005), high: quantile(drawn, 0.995), rounds };
}

function resampled({ ours, theirs }: Pair, random: () => number): number {
  const rounds = Math.max(ours.length, theirs.length);
  const drawn = Array.from({ length: rounds }, () => random());
  const pick = (samples: readonly number[]) =>
    drawn.map((at) => samples[Math.floor(at * samples.length)] as number);
  return median(pick(ours)) / median(pick(theirs));
}

/** Fewer samples give no useful interval. */
export const ENOUGH_ROUNDS = 5;
/** Two processes of the same engine differ by this much, from memory layout and the timing of compilers. */
export const SAME = 0.02;

export type Verdict = 'faster' | 'slower' | 'no difference' | 'too few rounds';

/** Whether a ratio differs from 1. */
export function verdict({ value, low, high, rounds }: Ratio): Verdict {
  if (rounds < ENOUGH_ROUNDS) return 'too few rounds';
  if (high < 1 && value < 1 - SAME) return 'faster';
  return low > 1 && value > 1 + SAME ? 'slower' : 'no difference';
}
