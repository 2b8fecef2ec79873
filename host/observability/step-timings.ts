const STEPS = ['upload', 'queue', 'decode', 'trace'] as const;
export type Step = (typeof STEPS)[number];

/** Durations of the steps of one request, in milliseconds. */
export class StepTimings {
  readonly #ms: Record<Step, number> = { upload: 0, queue: 0, decode: 0, trace: 0 };

  get(step: Step): number {
    return this.#ms[step];
  }

  add(step: Step, ms: number): void {
    this.#ms[step] += ms;
  }

  /** The steps that the request reached, in order. */
  reached(): [Step, number][] {
    return STEPS.map((step): [Step, number] => [step, this.#ms[step]]).filter(([, ms]) => ms > 0);
  }

  /** Runs `action` and adds its duration to `step`. */
  async measure<T>(step: Step, action: () => Promise<T>): Promise<T> {
    const start = performance.now();
    const result = await action();
    this.add(step, performance.now() - start);
    return result;
  }

  /** Milliseconds spent decoding and tracing, without the upload and the queue. */
  get processingMs(): number {
    return rounded(this.#ms.decode + this.#ms.trace);
  }

  /** The value of the Server-Timing header. */
  header(): string {
    return STEPS.map((step) => `${step};dur=${rounded(this.#ms[step])}`).join(', ');
  }
}

/** Rounds to hundredths; more digits would be noise. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
