import type { Options } from 'tracesmith-wasm';
import type { FinalTraceReply, Traced, TraceReply, TraceRequest } from './trace-messages.ts';

/** Runs the trace worker. It traces one image at a time; a new trace cancels the previous one. */
export class TraceClient {
  readonly #engine: Promise<WebAssembly.Module>;
  readonly #onProgress: (progress: number) => void;
  #worker: Worker | undefined;
  /** Resolves the promise of the running trace to undefined. */
  #abandon = () => {};

  /** `onProgress` receives the progress of the running trace, from 0 to 1. */
  constructor(engine: Promise<WebAssembly.Module>, onProgress: (progress: number) => void) {
    this.#engine = engine;
    this.#onProgress = onProgress;
  }

  /** Traces an image. Resolves to undefined if canceled. Throws errors with messages for the user. */
  async trace(image: Blob, options: Options): Promise<Traced | undefined> {
    this.cancel();
    let isCanceled = false;
    const canceled = new Promise<undefined>((resolve) => {
      this.#abandon = () => {
        isCanceled = true;
        resolve(undefined);
      };
    });
    const engine = await this.#engine;
    if (isCanceled) return undefined;
    const reply = await Promise.race([this.#request({ image, options, engine }), canceled]);
    this.#abandon = () => {};
    if (reply !== undefined && 'error' in reply) throw new Error(reply.error);
    return reply;
  }

  /**
   * Cancels the running trace and ends its worker. (The engine could stop by itself, but only with memory that threads
   * share, for which the page would have to be cross-origin isolated.)
   */
  cancel(): void {
    if (this.#worker?.onmessage) {
      this.#worker.terminate();
      this.#worker = undefined;
    }
    this.#abandon();
  }

  #request(request: TraceRequest): Promise<FinalTraceReply> {
    this.#worker ??= new Worker(new URL('./trace-worker.js', import.meta.url), { type: 'module' });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const finish = (reply: FinalTraceReply) => {
        worker.onmessage = worker.onerror = null;
        resolve(reply);
      };
      worker.onmessage = ({ data }: MessageEvent<TraceReply>) => {
        if ('progress' in data) this.#onProgress(data.progress);
        else finish(data);
      };
      worker.onerror = ({ message }) => {
        // Its script could not be loaded, or it has ended: it would never reply.
        worker.terminate();
        this.#worker = undefined;
        // Only an error within the script has a message.
        finish({ error: `The worker failed: ${message || 'its script could not be loaded.'}` });
      };
      worker.postMessage(request);
    });
  }
}
