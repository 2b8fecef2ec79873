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
export declare function checkWatch(watch: unknown): Watch;
/** Runs a trace on the calling thread. Throws the reason if the trace was stopped. */
export declare function watchSync(watch: Watch, run: (observer?: EngineObserver) => string): string;
/** Runs a trace on another thread. To stop it, calls `stop` and rejects immediately, without waiting for that thread. */
export declare function watchAsync(watch: Watch, run: (observer: EngineObserver) => Promise<string>, stop: () => void): Promise<string>;
