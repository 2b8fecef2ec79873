import { describe } from './describe.js';
import { TracesmithError } from './errors.js';
/** Reads each property once and checks it. Null means absent, as for `fetch`. */
export function checkWatch(watch) {
    if (watch === undefined)
        return {};
    if (typeof watch !== 'object' || watch === null)
        refuse('watch', 'an object { onProgress, signal }', watch);
    const { onProgress, signal } = watch;
    if (!isAbsent(onProgress) && typeof onProgress !== 'function') {
        refuse('watch.onProgress', 'a function', onProgress);
    }
    if (!isAbsent(signal) && !isSignal(signal))
        refuse('watch.signal', 'an AbortSignal', signal);
    return { onProgress: onProgress ?? undefined, signal: signal ?? undefined };
}
const isAbsent = (value) => value === undefined || value === null;
/** By what is used of it: `instanceof` fails for a signal of another realm. */
function isSignal(value) {
    const { throwIfAborted, addEventListener } = value;
    return typeof throwIfAborted === 'function' && typeof addEventListener === 'function';
}
function refuse(name, expected, received) {
    throw new TracesmithError('invalid_watch', `${name} must be ${expected}, not ${describe(received)}`);
}
function reportProgress({ onProgress, signal }, progress) {
    try {
        if (onProgress?.(progress) === false) {
            return { cause: new TracesmithError('cancelled', 'onProgress returned false') };
        }
    }
    catch (cause) {
        return { cause };
    }
    return signal?.aborted ? { cause: signal.reason } : undefined;
}
/** Runs a trace on the calling thread. Throws the reason if the trace was stopped. */
export function watchSync(watch, run) {
    watch.signal?.throwIfAborted();
    // Without onProgress no other code runs on this thread, so the signal cannot be aborted during the trace.
    if (watch.onProgress === undefined)
        return run();
    let stopped;
    const observer = (stage, fraction) => {
        stopped = reportProgress(watch, { stage, fraction });
        return stopped === undefined;
    };
    try {
        return run(observer);
    }
    catch (thrown) {
        throw stopped === undefined ? thrown : stopped.cause;
    }
}
/** Runs a trace on another thread. To stop it, calls `stop` and rejects immediately, without waiting for that thread. */
export async function watchAsync(watch, run, stop) {
    const { signal } = watch;
    signal?.throwIfAborted();
    let reject;
    const stopped = new Promise((_resolve, rejectStopped) => {
        reject = rejectStopped;
    });
    let isSettled = false;
    const settle = ({ cause }) => {
        isSettled = true;
        stop();
        reject(cause);
    };
    const onAbort = () => settle({ cause: signal?.reason });
    signal?.addEventListener('abort', onAbort);
    const observer = (stage, fraction) => {
        // Reports that the other thread sent before it saw the stop arrive after it.
        const reason = isSettled ? undefined : reportProgress(watch, { stage, fraction });
        if (reason !== undefined && !isSettled)
            settle(reason);
        return !isSettled;
    };
    try {
        return await Promise.race([run(observer), stopped]);
    }
    finally {
        isSettled = true;
        signal?.removeEventListener('abort', onAbort);
    }
}
