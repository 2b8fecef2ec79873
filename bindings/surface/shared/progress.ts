import { TracesmithError } from './errors.ts';

/** How far tracing has come. */
export interface Progress {
  /** What is being done: prepare, segment, resolve, merge, outline, fit or write, in this order; not every picture needs all. */
  stage: string;
  /** An estimate of how much of all work is done, 0 to 1; it never falls. */
  fraction: number;
}

/** Who looks on while a picture is traced, and may stop it. */
export interface Watch {
  /** Told when a stage begins and every few milliseconds of the long ones. Returning false stops the trace, and so does throwing. */
  onProgress?: ((progress: Progress) => unknown) | undefined;
  /** Stops the trace; what is thrown is then its reason. */
  signal?: AbortSignal | undefined;
}

/** What the engine asks: whether to go on. It never throws. */
export type Reached = (stage: string, fraction: number) => boolean;

interface Stop {
  cause: unknown;
}

/** Tells the caller, and asks whether to stop. */
function tell({ onProgress, signal }: Watch, progress: Progress): Stop | undefined {
  try {
    if (onProgress?.(progress) === false) {
      return { cause: new TracesmithError('cancelled', 'tracing was stopped by onProgress') };
    }
  } catch (cause) {
    return { cause };
  }
  return signal?.aborted ? { cause: signal.reason } : undefined;
}

/** What `run` gives, on this thread; where it was stopped, throws why. */
export function watchHere(watch: Watch = {}, run: (reached?: Reached) => string): string {
  watch.signal?.throwIfAborted();
  // Nothing else on this thread can abort the signal meanwhile.
  if (watch.onProgress === undefined) return run();
  let stopped: Stop | undefined;
  const reached: Reached = (stage, fraction) => {
    stopped = tell(watch, { stage, fraction });
    return stopped === undefined;
  };
  try {
    return run(reached);
  } catch (thrown) {
    throw stopped === undefined ? thrown : stopped.cause;
  }
}

/** What `run` gives, on another thread. Where it is to stop, calls `stop`, and rejects without waiting for that thread. */
export async function watchElsewhere(
  watch: Watch = {},
  run: (reached: Reached) => Promise<string>,
  stop: () => void,
): Promise<string> {
  const { signal } = watch;
  signal?.throwIfAborted();
  let reject: (cause: unknown) => void;
  const stopped = new Promise<never>((_resolve, rejects) => {
    reject = rejects;
  });
  let isOver = false;
  const end = ({ cause }: Stop) => {
    isOver = true;
    stop();
    reject(cause);
  };
  const onAbort = () => end({ cause: signal?.reason });
  signal?.addEventListener('abort', onAbort);
  const reached: Reached = (stage, fraction) => {
    // What the other thread said before it heard of the end comes in after it.
    const why = isOver ? undefined : tell(watch, { stage, fraction });
    if (why !== undefined && !isOver) end(why);
    return !isOver;
  };
  try {
    return await Promise.race([run(reached), stopped]);
  } finally {
    isOver = true;
    signal?.removeEventListener('abort', onAbort);
  }
}
