/** Traces in a worker, so that the calling thread stays free and can stop it. */
import { TracesmithError } from './errors.js';
import { checkImage } from './image.js';
import { fromWorker, sharedFlag, startThread } from './thread.js';
import { settingsOf } from './validate.js';
import { watchElsewhere } from './watch.js';
/**
 * A worker with an engine of its own; it starts with the first picture. Pictures are traced one after the other. A tracer with
 * nothing to do keeps no process alive.
 */
export class Tracer {
    #engine;
    #start;
    #thread;
    /** Settled when the thread is free for the next picture. */
    #free = Promise.resolve();
    #isClosed = false;
    constructor({ engine, worker } = {}) {
        this.#engine = engine instanceof URL ? engine.href : engine;
        this.#start = worker === undefined ? startThread : () => fromWorker(worker());
    }
    /**
     * Traces `image` to SVG text; the pixels are copied first, so they may change meanwhile.
     *
     * When `watch.signal` is aborted, or `watch.onProgress` stops the trace, rejects at once. A picture that waits is never begun;
     * one that is being traced ends within some ten milliseconds where threads can share memory (in Node.js and Deno, and in pages
     * that are cross-origin isolated), and with its worker elsewhere.
     */
    async trace(image, options, watch) {
        settingsOf(options);
        const { width, height, rgba } = checkImage(image);
        watch?.signal?.throwIfAborted();
        const stop = sharedFlag();
        const wantsProgress = watch?.onProgress !== undefined;
        const job = { image: { width, height, data: rgba.slice() }, options, wantsProgress, stop };
        let state = 'waits';
        const run = (reached) => {
            const turn = this.#free.then(() => {
                if (state === 'unwanted')
                    return '';
                state = 'runs';
                return this.#ask(job, reached);
            });
            this.#free = turn.catch(() => { });
            return turn;
        };
        const end = () => {
            if (stop !== undefined)
                Atomics.store(stop, 0, 1);
            else if (state === 'runs')
                this.#thread?.end();
            state = 'unwanted';
        };
        return watchElsewhere(watch, run, end);
    }
    /** Ends the worker; what it has not finished is rejected as `closed`. */
    close() {
        this.#isClosed = true;
        this.#thread?.end();
    }
    #ask(job, reached) {
        if (this.#isClosed)
            throw new TracesmithError('closed', 'the tracer was closed');
        const isFresh = this.#thread === undefined || this.#thread.isOver;
        if (isFresh)
            this.#thread = this.#start();
        const thread = this.#thread;
        return new Promise((resolve, reject) => {
            const answer = (answer) => {
                if ('progress' in answer) {
                    reached(answer.progress.stage, answer.progress.fraction);
                    return;
                }
                thread.rest();
                if ('svg' in answer)
                    resolve(answer.svg);
                else
                    reject(this.#refusal(answer.refused));
            };
            const ended = (cause) => {
                const code = this.#isClosed ? 'closed' : 'engine_failure';
                reject(new TracesmithError(code, `the worker ended: ${cause}`, { cause }));
            };
            thread.send({ engine: isFresh ? this.#engine : undefined, ...job }, { answer, ended });
        });
    }
    #refusal({ code, message, errors }) {
        // The next picture may find what this one did not.
        if (code === 'engine_unavailable')
            this.#thread?.end();
        return new TracesmithError(code, message, { errors });
    }
}
