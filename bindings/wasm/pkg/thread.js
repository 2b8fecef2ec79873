// Workers of browsers and of Node.js, as a tracer sees them.
import { TracesmithError } from './errors.js';
/** The package's own worker. */
export function startThread() {
    if (typeof Worker === 'function') {
        // Bundlers look for these very words.
        return fromWorker(new Worker(new URL('./tracer-worker.js', import.meta.url), { type: 'module' }));
    }
    const threads = globalThis.process?.getBuiltinModule?.('node:worker_threads');
    if (threads === undefined)
        throw new TracesmithError('engine_unavailable', 'there are no workers in this run time');
    // What the program was started with, a loader of other languages for one, is nothing that this worker needs.
    return fromNode(new threads.Worker(new URL('./tracer-worker.js', import.meta.url), { execArgv: [] }));
}
export function fromWorker(worker) {
    let listener;
    let isOver = false;
    const end = (cause) => {
        isOver = true;
        worker.terminate();
        listener?.ended(cause);
    };
    worker.addEventListener('message', (event) => listener?.answer(event.data));
    worker.addEventListener('error', (event) => end(event.message ?? 'it could not be loaded'));
    worker.addEventListener('messageerror', () => end('its answer could not be read'));
    return {
        get isOver() {
            return isOver;
        },
        send: (job, next) => {
            listener = next;
            worker.postMessage(job, [job.image.data.buffer]);
        },
        rest: () => {
            listener = undefined;
        },
        end: () => end('it was stopped'),
    };
}
function fromNode(worker) {
    let listener;
    let isOver = false;
    let cause = 'it was stopped';
    const ended = () => {
        isOver = true;
        listener?.ended(cause);
        listener = undefined;
    };
    worker.on('message', (answer) => listener?.answer(answer));
    worker.on('error', (error) => {
        cause = error;
    });
    worker.on('exit', ended);
    worker.unref();
    return {
        get isOver() {
            return isOver;
        },
        send: (job, next) => {
            listener = next;
            worker.ref();
            worker.postMessage(job, [job.image.data.buffer]);
        },
        rest: () => {
            listener = undefined;
            worker.unref();
        },
        end: () => {
            void worker.terminate();
            ended();
        },
    };
}
/** A flag that another thread sees; undefined where threads cannot share memory. */
export function sharedFlag() {
    if (typeof SharedArrayBuffer !== 'function' || globalThis.crossOriginIsolated === false)
        return undefined;
    return new Int32Array(new SharedArrayBuffer(4));
}
