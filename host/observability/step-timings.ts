const STEPS = ['upload', 'queue', 'decode', 'trace'] as const;
export type Step = (typeof STEPS)[number];

/** One run of a step, in milliseconds of `performance.now()`. */
export interface StepInterval {
  step: Step;
  startMs: number;
  endMs: number;
}

/** An interval that may not have ended. */
type OpenInterval = Omit<StepInterval, 'endMs'> & { endMs?: number };

/** When each step of one request ran. */
export class StepTimings {
  readonly #intervals: OpenInterval[] = [];

  /** The total duration of a step, in milliseconds. */
  get(step: Step): number {
    return this.intervals()
      .filter((interval) => interval.step === step)
      .reduce((sum, { startMs, endMs }) => sum + endMs - startMs, 0);
  }

  /** Adds a step that took `ms` and ended at `endMs`. */
  add(step: Step, ms: number, endMs = performance.now()): void {
    this.#intervals.push({ step, startMs: endMs - ms, endMs });
  }

  /** Starts a step; call the returned function at its end. Until then, the step counts as running. */
  start(step: Step): () => void {
    const interval: OpenInterval = { step, startMs: performance.now() };
    this.#intervals.push(interval);
    return () => {
      interval.endMs ??= performance.now();
    };
  }

  /** Runs `action` and adds its duration to `step`, also if it fails. */
  async measure<T>(step: Step, action: () => Promise<T>): Promise<T> {
    const end = this.start(step);
    try {
      return await action();
    } finally {
      end();
    }
  }

  /** All runs of all steps. One that has not ended ends now. */
  intervals(): StepInterval[] {
    const nowMs = performance.now();
    return this.#intervals.map(({ step, startMs, endMs = nowMs }) => ({ step, startMs, endMs }));
  }

  /** The durations of the steps that the request reached, in order. */
  reached(): [Step, number][] {
    return STEPS.map((step): [Step, number] => [step, this.get(step)]).filter(([, ms]) => ms > 0);
  }

  /** Milliseconds spent decoding and tracing, without the upload and the queue. */
  get processingMs(): number {
    return rounded(this.get('decode') + this.get('trace'));
  }

  /** The value of the Server-Timing header. */
  header(): string {
    return STEPS.map((step) => `${step};dur=${rounded(this.get(step))}`).join(', ');
  }
}

/** Rounds to hundredths; more digits would be noise. */
export function rounded(ms: number): number {
  return Math.round(ms * 100) / 100;
}
