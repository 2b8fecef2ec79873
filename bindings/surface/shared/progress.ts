import { describe } from './describe.ts';
import { TracesmithError } from './errors.ts';

/** How far a trace has come. */
export interface Progress {
  /** The current stage: prepare, segment, resolve, merge, outline, fit, repair or write, in this order. Some images skip some. */
  stage: string;
  /** The estimated share of the work that is done, 0 to 1. It never decreases. */
  fraction: number;
}

/** Observes a trace and can stop it. */
export interface Watch {
  /**
   * Called at the start of each stage and every few milliseconds during long stages. The trace stops if it returns false or
   * throws.
   */
  onProgress?: ((progress: Progress) => unknown) | undefined;
  /** Stops the trace; the call then throws the signal's reason. */
  signal?: AbortSignal | undefined;
}

/** Called by the engine; returns whether to continue. Never throws. */
export type EngineObserver = (stage: string, fraction: number) => boolean;

/** Reads each property once and checks it. Null means absent, as for `fetch`. */
export function checkWatch(watch: unknown): Watch {
  if (watch === undefined) return {};
  if (typeof watch !== 'object' || watch === null) refuse('watch', 'an object { onProgress, signal }', watch);
  const { onProgress, signal } = watch as Record<string, unknown>;
  if (!isAbsent(onProgress) && typeof onProgress !== 'function') {
    refuse('watch.onProgress', 'a function', onProgress);
  }
  if (!isAbsent(signal) && !isSignal(signal)) refuse('watch.signal', 'an AbortSignal', signal);
  return { onProgress: onProgress ?? undefined, signal: signal ?? undefined } as Watch;
}

const isAbsent = (value: unknown) => value === undefined || value === null;

/** By what is used of it: `instanceof` fails for a signal of another realm. */
function isSignal(value: unknown): boolean {
  const { throwIfAborted, addEventListener } = value as Partial<AbortSignal>;
  return typeof throwIfAborted === 'function' && typeof addEventListener === 'function';
}

function refuse(name: string, expected: string, received: unknown): never {
  throw new TracesmithError('invalid_watch', `${name} must be ${expected}, not ${describe(received)}`);
}

interface StopReason {
  cause: unknown;
}

function reportProgress({ onProgress, signal }: Watch, progress: Progress): StopReason | undefined {
  try {
    if (onProgress?.(progress) === false) {
      return { cause: new TracesmithError('cancelled', 'onProgress returned false') };
    }
  } catch (cause) {
    return { cause };
  }
  return signal?.aborted ? { cause: signal.reason } : undefined;
}

/** Runs a trace on the calling thread. Throws the reason if the trace was stopped. */
export function watchSync(watch: Watch, run: (observer?: EngineObserver) => string): string {
  watch.signal?.throwIfAborted();
  // Without onProgress no other code runs on this thread, so the signal cannot be aborted during the trace.
  if (watch.onProgress === undefined) return run();
  let stopped: StopReason | undefined;
  const observer: EngineObserver = (stage, fraction) => {
    stopped = reportProgress(watch, { stage, fraction });
    return stopped === undefined;
  };
  try {
    return run(observer);
  } catch (thrown) {
    throw stopped === undefined ? thrown : stopped.cause;
  }
}

/** Runs a trace on another thread. To stop it, calls `stop` and rejects immediately, without waiting for that thread. */
export async function watchAsync(
  watch: Watch,
  run: (observer: EngineObserver) => Promise<string>,
  stop: () => void,
): Promise<string> {
  const { signal } = watch;
  signal?.throwIfAborted();
  let reject: (cause: unknown) => void;
  const stopped = new Promise<never>((_resolve, rejectStopped) => {
    reject = rejectStopped;
  });
  let isSettled = false;
  const settle = ({ cause }: StopReason) => {
    isSettled = true;
    stop();
    reject(cause);
  };
  const onAbort = () => settle({ cause: signal?.reason });
  signal?.addEventListener('abort', onAbort);
  const observer: EngineObserver = (stage, fraction) => {
    // Reports that the other thread sent before it saw the stop arrive after it.
    const reason = isSettled ? undefined : reportProgress(watch, { stage, fraction });
    if (reason !== undefined && !isSettled) settle(reason);
    return !isSettled;
  };
  try {
    return await Promise.race([run(observer), stopped]);
  } finally {
    isSettled = true;
    signal?.removeEventListener('abort', onAbort);
  }
}
