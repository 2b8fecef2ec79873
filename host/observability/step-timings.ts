const STEPS = ['upload', 'queue', 'decode', 'trace'] as const;
export type Step = (typeof STEPS)[number];

/** How long the steps of one request took, in milliseconds. */
export class Timings {
  readonly #ms: Record<Step, number> = { upload: 0, queue: 0, decode: 0, trace: 0 };

  get(step: Step): number {
    return this.#ms[step];
  }

  add(step: Step, ms: number): void {
    this.#ms[step] += ms;
  }

  /** The steps that took any time. */
  reached(): [Step, number][] {
    return STEPS.map((step): [Step, number] => [step, this.#ms[step]]).filter(([, ms]) => ms > 0);
  }

  async measure<T>(step: Step, action: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await action();
    this.add(step, performance.now() - start);
    return result;
  }

  /** Time spent on the picture itself: waiting and receiving excluded. */
  get processingMs(): number {
    return rounded(this.#ms.decode + this.#ms.trace);
  }

  /** The value of Server-Timing. */
  header(): string {
    return STEPS.map((step) => `${step};dur=${rounded(this.#ms[step])}`).join(', ');
  }
}

/** To hundredths: more digits would say nothing. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
