// Access to the results by engine, picture and kind.
import type { ContenderInfo, Measurement, PictureInfo, Results } from '../core/results.ts';
import { type Pair, type Ratio, ratio } from '../core/statistics.ts';

export class Look {
  readonly results: Results;
  readonly #measurements: Map<string, Measurement>;

  constructor(results: Results) {
    this.results = results;
    this.#measurements = new Map(results.measurements.map((one) => [key(one.contender, one.picture), one]));
  }

  get contenders(): ContenderInfo[] {
    return this.results.contenders;
  }

  get kinds(): string[] {
    return [...new Set(this.results.pictures.map(({ kind }) => kind))];
  }

  picturesOf(kind: string): PictureInfo[] {
    return this.results.pictures.filter((picture) => picture.kind === kind);
  }

  of(contender: ContenderInfo, picture: PictureInfo): Measurement | undefined {
    return this.#measurements.get(key(contender.id, picture.name));
  }

  /** In the order of the legends. */
  get names(): string[] {
    return this.contenders.map(({ name }) => name);
  }

  /** The time of one engine as a multiple of another's, over the pictures that both finished. */
  ratio(one: ContenderInfo, other: ContenderInfo, pictures: PictureInfo[]): Ratio | undefined {
    const pairs = pictures.flatMap((picture): Pair[] => {
      const [ours, theirs] = [this.of(one, picture)?.cpuMs, this.of(other, picture)?.cpuMs];
      return ours === undefined || theirs === undefined ? [] : [{ ours, theirs }];
    });
    return pairs.length === 0 ? undefined : ratio(pairs);
  }
}

const key = (contender: string, picture: string) => `${contender}\n${picture}`;
