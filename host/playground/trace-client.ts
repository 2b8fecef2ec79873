import type { Options } from 'tracesmith-wasm';
import type { Traced, TraceEnd, TraceReply, TraceRequest } from './trace-messages.ts';

/** The tracing worker, as the page sees it: one picture at a time, and the newest one wins. */
export class Tracer {
  readonly #engine: Promise<WebAssembly.Module>;
  readonly #onProgress: (done: number) => void;
  #worker: Worker | undefined;
  /** Told to whoever waits for a drawing that nobody wants any more. */
  #abandon = () => {};

  /** `onProgress` is told how much of the picture at hand is done, 0 to 1. */
  constructor(engine: Promise<WebAssembly.Module>, onProgress: (done: number) => void) {
    this.#engine = engine;
    this.#onProgress = onProgress;
  }

  /** The drawing, or undefined when it was cancelled. Throws what went wrong, in words for people. */
  async trace(picture: Blob, options: Options): Promise<Traced | undefined> {
    this.cancel();
    let isWanted = true;
    const abandoned = new Promise<undefined>((resolve) => {
      this.#abandon = () => {
        isWanted = false;
        resolve(undefined);
      };
    });
    const engine = await this.#engine;
    if (!isWanted) return undefined;
    const reply = await Promise.race([this.#ask({ picture, options, engine }), abandoned]);
    this.#abandon = () => {};
    if (reply !== undefined && 'problem' in reply) throw new Error(reply.problem);
    return reply;
  }

  /** Ends what is under way, with its worker: no page without cross-origin isolation shares memory to ask the engine by. */
  cancel(): void {
    if (this.#worker?.onmessage) {
      this.#worker.terminate();
      this.#worker = undefined;
    }
    this.#abandon();
  }

  #ask(request: TraceRequest): Promise<TraceEnd> {
    this.#worker ??= new Worker(new URL('./trace-worker.js', import.meta.url), { type: 'module' });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const answer = (reply: TraceEnd) => {
        worker.onmessage = worker.onerror = null;
        resolve(reply);
      };
      worker.onmessage = ({ data }: MessageEvent<TraceReply>) => {
        if ('done' in data) this.#onProgress(data.done);
        else answer(data);
      };
      worker.onerror = ({ message }) => answer({ problem: `The worker failed: ${message}` });
      worker.postMessage(request);
    });
  }
}
