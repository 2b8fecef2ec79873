/** Traces in a worker, so that the calling thread stays free and can stop the trace. */
import { TracesmithError } from './shared/errors.js';
import { checkImage } from './shared/image.js';
import { checkWatch, watchAsync } from './shared/progress.js';
import { serializeOptions } from './shared/validate-options.js';
import { createStopFlag, fromWebWorker, startWorker, } from './worker-thread.js';
/**
 * A worker with its own engine. The worker starts with the first image and traces one image after the other. An idle tracer does
 * not keep the process alive.
 */
export class Tracer {
    #sources;
    #start;
    #worker;
    /** Settles when the worker is ready for the next image. */
    #ready = Promise.resolve();
    #isClosed = false;
    constructor({ engine, gradientsEngine, worker } = {}) {
        this.#sources = { engine: cloneable(engine), gradientsEngine: cloneable(gradientsEngine) };
        this.#start = worker === undefined ? startWorker : () => fromWebWorker(worker());
    }
    /**
     * Traces `image` to SVG. The pixels are copied first, so the caller may change them afterwards.
     *
     * When `watch.signal` is aborted or `watch.onProgress` stops the trace, the promise rejects immediately. An image that waits for
     * its turn is then never traced. A running trace stops within about ten milliseconds if threads can share memory (Node.js, Deno
     * and cross-origin isolated pages); elsewhere, the worker is terminated.
     */
    async trace(image, options, watch) {
        serializeOptions(options); // throws if an option is invalid
        const { width, height, rgba } = checkImage(image);
        const checkedWatch = checkWatch(watch);
        checkedWatch.signal?.throwIfAborted();
        const stopFlag = createStopFlag();
        const wantsProgress = checkedWatch.onProgress !== undefined;
        const job = { image: { width, height, data: rgba.slice() }, options, wantsProgress, stopFlag };
        let state = 'queued';
        const run = (observer) => {
            const turn = this.#ready.then(() => {
                if (state === 'stopped')
                    return '';
                state = 'running';
                return this.#send(job, observer);
            });
            this.#ready = turn.catch(() => { });
            return turn;
        };
        const stop = () => {
            if (stopFlag !== undefined)
                Atomics.store(stopFlag, 0, 1);
            else if (state === 'running')
                this.#worker?.terminate();
            state = 'stopped';
        };
        return watchAsync(checkedWatch, run, stop);
    }
    /** Terminates the worker. Unfinished traces reject with `closed`. */
    close() {
        this.#isClosed = true;
        this.#worker?.terminate();
    }
    #send(job, observer) {
        if (this.#isClosed)
            throw new TracesmithError('closed', 'the tracer was closed');
        const isNew = this.#worker === undefined || this.#worker.hasEnded;
        if (isNew)
            this.#worker = this.#start();
        const worker = this.#worker;
        return new Promise((resolve, reject) => {
            const onReply = (reply) => {
                if ('progress' in reply) {
                    observer(reply.progress.stage, reply.progress.fraction);
                    return;
                }
                worker.release();
                if ('svg' in reply)
                    resolve(reply.svg);
                else
                    reject(this.#errorOf(reply.failure));
            };
            const onEnd = (cause) => {
                const code = this.#isClosed ? 'closed' : 'engine_failure';
                reject(new TracesmithError(code, `the worker ended: ${cause}`, { cause }));
            };
            worker.send({ sources: isNew ? this.#sources : undefined, ...job }, { onReply, onEnd });
        });
    }
    #errorOf({ code, message, errors }) {
        // A new worker tries to load the engine again.
        if (code === 'engine_unavailable')
            this.#worker?.terminate();
        return new TracesmithError(code, message, { errors });
    }
}
/** Messages between threads cannot hold a `URL`. */
function cloneable(source) {
    return source instanceof URL ? source.href : source;
}
