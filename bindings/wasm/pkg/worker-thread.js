// One interface for browser workers and Node.js worker threads.
import { TracesmithError } from './shared/errors.js';
/** Starts the package's own worker. */
export function startWorker() {
    if (typeof Worker === 'function') {
        // Bundlers recognize exactly this expression.
        return fromWebWorker(new Worker(new URL('./tracer-worker.js', import.meta.url), { type: 'module' }));
    }
    const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
    if (threads === undefined)
        throw new TracesmithError('engine_unavailable', 'this runtime does not support workers');
    // The worker does not need the process's flags, such as a TypeScript loader.
    return fromNodeWorker(new threads.Worker(new URL('./tracer-worker.js', import.meta.url), { execArgv: [] }));
}
export function fromWebWorker(worker) {
    let listener;
    let hasEnded = false;
    const end = (cause) => {
        hasEnded = true;
        worker.terminate();
        listener?.onEnd(cause);
    };
    worker.addEventListener('message', (event) => listener?.onReply(event.data));
    worker.addEventListener('error', (event) => end(event.message ?? 'the worker script could not be loaded'));
    worker.addEventListener('messageerror', () => end('the reply could not be deserialized'));
    return {
        get hasEnded() {
            return hasEnded;
        },
        send: (job, next) => {
            listener = next;
            worker.postMessage(job, [job.image.data.buffer]);
        },
        release: () => {
            listener = undefined;
        },
        terminate: () => end('terminated'),
    };
}
function fromNodeWorker(worker) {
    let listener;
    let hasEnded = false;
    let cause = 'terminated';
    const onEnd = () => {
        hasEnded = true;
        listener?.onEnd(cause);
        listener = undefined;
    };
    worker.on('message', (reply) => listener?.onReply(reply));
    worker.on('error', (error) => {
        cause = error;
    });
    worker.on('exit', onEnd);
    worker.unref();
    return {
        get hasEnded() {
            return hasEnded;
        },
        send: (job, next) => {
            listener = next;
            worker.ref();
            worker.postMessage(job, [job.image.data.buffer]);
        },
        release: () => {
            listener = undefined;
            worker.unref();
        },
        terminate: () => {
            void worker.terminate();
            onEnd();
        },
    };
}
/** A flag that the worker sees when it is set; undefined if threads cannot share memory. */
export function createStopFlag() {
    if (typeof SharedArrayBuffer !== 'function' || globalThis.crossOriginIsolated === false)
        return undefined;
    return new Int32Array(new SharedArrayBuffer(4));
}
