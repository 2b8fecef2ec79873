import type { Format } from '../image/format.ts';
import type { Detail } from './memory-estimate.ts';

/** What is known about an image before it is decoded. */
export interface ImageTraits {
  pixels: number;
  fileBytes: number;
  format: Format;
  detail: Detail;
}

/** What starting any job takes. */
const BASE_MS = 3;
/** For reading the file, however few pixels it holds. */
const DECODE_MS_PER_BYTE = 4e-6;
/** A file of more bytes per pixel than this is padded, not detailed. */
const MAX_BYTES_PER_PIXEL = 4;
/**
 * Measured for art and photographs; detail needs bytes in a compressed file, so the size of the file says more than the
 * number of pixels.
 */
const TRACE_MS: Record<Detail, { perPixel: number; perByte: number }> = {
  color: { perPixel: 5e-5, perByte: 1.5e-4 },
  everyPixel: { perPixel: 1.5e-4, perByte: 2e-3 },
  binaryPixels: { perPixel: 2e-5, perByte: 5e-5 },
  binary: { perPixel: 2e-5, perByte: 5e-5 },
};

/** Measurements that are remembered of each kind of an account's images. */
const REMEMBERED = 15;
/** With fewer of a kind, those of all kinds are used. */
const MIN_MEASUREMENTS = 3;
/** Kinds that are remembered of an account. */
const MAX_KINDS = 40;
/** Accounts whose measurements are remembered: with their kinds, some 10 MB. */
const MAX_ACCOUNTS = 1_000;
/** Accounts that tell how fast the machine is: the last ones. */
const MAX_VOTES = 15;
/** Of fewer, one could set the median. */
const MIN_VOTES = 3;
/** The formula is never corrected by more than this factor. */
const MAX_FACTOR = 30;
/** Nor is it for a kind that has not been measured: machines differ less than images do. */
const MAX_MACHINE_FACTOR = 2;

/** A map of at most `maxSize` entries. A further one takes the place of the one that was set longest ago. */
class RecentMap<T> {
  readonly #entries = new Map<string, T>();
  readonly #maxSize: number;

  constructor(maxSize: number) {
    this.#maxSize = maxSize;
  }

  get(key: string): T | undefined {
    return this.#entries.get(key);
  }

  set(key: string, value: T): void {
    // A map keeps the order in which its keys were added.
    this.#entries.delete(key);
    this.#entries.set(key, value);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#maxSize && oldest !== undefined) this.#entries.delete(oldest);
  }

  values(): T[] {
    return [...this.#entries.values()];
  }
}

/** What the last images of a kind took, as factors of the formula, by kind. */
type Measurements = RecentMap<readonly number[]>;

/**
 * Predicts how long images take: by a formula for their size, corrected by the median of what images of the same kind and
 * account took. A median is not moved by a few outliers, and images of one kind do not change the prediction of another.
 *
 * Nor do images of one account change the prediction for another: a file can be padded until it is of any kind, and a small
 * image that is predicted to take long waits with the large ones.
 */
export class DurationPredictor {
  readonly #accounts = new RecentMap<Measurements>(MAX_ACCOUNTS);
  /** How fast the machine is, as each account measured it. */
  readonly #machineFactors = new RecentMap<number>(MAX_VOTES);

  /** The predicted duration of decoding and tracing, in milliseconds. */
  predictMs(account: string, image: ImageTraits): number {
    return formulaMs(image) * this.#factorOf(account, kindOf(image));
  }

  /** Remembers what an account's image took, or how long it ran before it was stopped. */
  learn(account: string, image: ImageTraits, ms: number): void {
    const factor = clamp(ms / formulaMs(image), 1 / MAX_FACTOR, MAX_FACTOR);
    const kind = kindOf(image);
    const measured: Measurements = this.#accounts.get(account) ?? new RecentMap(MAX_KINDS);
    measured.set(kind, [...(measured.get(kind) ?? []), factor].slice(-REMEMBERED));
    this.#accounts.set(account, measured);
    const machineFactor = machineFactorOf(measured);
    if (machineFactor !== undefined) this.#machineFactors.set(account, machineFactor);
  }

  #factorOf(account: string, kind: string): number {
    const measured = this.#accounts.get(account);
    const own = measured?.get(kind) ?? [];
    if (own.length >= MIN_MEASUREMENTS) return median(own);
    return (measured && machineFactorOf(measured)) ?? this.#sharedMachineFactor;
  }

  /** For accounts that have measured too little: no single one moves it beyond what the others measured. */
  get #sharedMachineFactor(): number {
    const votes = this.#machineFactors.values();
    return votes.length < MIN_VOTES ? 1 : median(votes);
  }
}

/**
 * What all kinds have in common is the speed of the machine. Each kind counts once, however many images it has. Undefined
 * if too few have been measured.
 */
function machineFactorOf(measured: Measurements): number | undefined {
  const kinds = measured.values().filter(({ length }) => length >= MIN_MEASUREMENTS);
  if (kinds.length === 0) return undefined;
  return clamp(median(kinds.map(median)), 1 / MAX_MACHINE_FACTOR, MAX_MACHINE_FACTOR);
}

/** Images that differ in size and in bytes per pixel by less than a factor of four. */
function kindOf({ pixels, fileBytes, format, detail }: ImageTraits): string {
  const bytesPerPixel = clamp(fileBytes / pixels, 1 / 1024, 2 * MAX_BYTES_PER_PIXEL);
  return [format, detail, magnitude(pixels), magnitude(bytesPerPixel)].join(' ');
}

const magnitude = (value: number) => Math.round(Math.log2(value) / 2);

function formulaMs({ pixels, fileBytes, detail }: ImageTraits): number {
  const { perPixel, perByte } = TRACE_MS[detail];
  const detailBytes = Math.min(fileBytes, pixels * MAX_BYTES_PER_PIXEL);
  return BASE_MS + fileBytes * DECODE_MS_PER_BYTE + pixels * perPixel + detailBytes * perByte;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(Math.max(value, min), max);
}

/** The lower one of the two in the middle; 1 of no values. */
function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[(sorted.length - 1) >> 1] ?? 1;
}
