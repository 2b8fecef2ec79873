import { TracesmithError } from './errors.js';
/** Tells the caller, and asks whether to stop. */
function tell({ onProgress, signal }, progress) {
    try {
        if (onProgress?.(progress) === false) {
            return { cause: new TracesmithError('cancelled', 'tracing was stopped by onProgress') };
        }
    }
    catch (cause) {
        return { cause };
    }
    return signal?.aborted ? { cause: signal.reason } : undefined;
}
/** What `run` gives, on this thread; where it was stopped, throws why. */
export function watchHere(watch = {}, run) {
    watch.signal?.throwIfAborted();
    // Nothing else on this thread can abort the signal meanwhile.
    if (watch.onProgress === undefined)
        return run();
    let stopped;
    const reached = (stage, fraction) => {
        stopped = tell(watch, { stage, fraction });
        return stopped === undefined;
    };
    try {
        return run(reached);
    }
    catch (thrown) {
        throw stopped === undefined ? thrown : stopped.cause;
    }
}
/** What `run` gives, on another thread. Where it is to stop, calls `stop`, and rejects without waiting for that thread. */
export async function watchElsewhere(watch = {}, run, stop) {
    const { signal } = watch;
    signal?.throwIfAborted();
    let reject;
    const stopped = new Promise((_resolve, rejects) => {
        reject = rejects;
    });
    let isOver = false;
    const end = ({ cause }) => {
        isOver = true;
        stop();
        reject(cause);
    };
    const onAbort = () => end({ cause: signal?.reason });
    signal?.addEventListener('abort', onAbort);
    const reached = (stage, fraction) => {
        // What the other thread said before it heard of the end comes in after it.
        const why = isOver ? undefined : tell(watch, { stage, fraction });
        if (why !== undefined && !isOver)
            end(why);
        return !isOver;
    };
    try {
        return await Promise.race([run(reached), stopped]);
    }
    finally {
        isOver = true;
        signal?.removeEventListener('abort', onAbort);
    }
}
