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
/** What `run` gives, on this thread; where it was stopped, throws why. */
export declare function watchHere(watch: Watch | undefined, run: (reached?: Reached) => string): string;
/** What `run` gives, on another thread. Where it is to stop, calls `stop`, and rejects without waiting for that thread. */
export declare function watchElsewhere(watch: Watch | undefined, run: (reached: Reached) => Promise<string>, stop: () => void): Promise<string>;
