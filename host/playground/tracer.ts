import type { Options } from 'tracesmith-wasm';
import type { Traced, TraceReply, TraceRequest } from './messages.ts';

/** The tracing worker, as the page sees it: one picture at a time, and the newest one wins. */
export class Tracer {
  readonly #engine: Promise<WebAssembly.Module>;
  #worker: Worker | undefined;
  /** Told to whoever waits for a drawing that nobody wants any more. */
  #abandon = () => {};

  constructor(engine: Promise<WebAssembly.Module>) {
    this.#engine = engine;
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

  /** Ends what is under way: the engine cannot be asked to stop, so its worker is. */
  cancel(): void {
    if (this.#worker?.onmessage) {
      this.#worker.terminate();
      this.#worker = undefined;
    }
    this.#abandon();
  }

  #ask(request: TraceRequest): Promise<TraceReply> {
    this.#worker ??= new Worker(new URL('./trace-worker.js', import.meta.url), { type: 'module' });
    const worker = this.#worker;
    return new Promise((resolve) => {
      const answer = (reply: TraceReply) => {
        worker.onmessage = worker.onerror = null;
        resolve(reply);
      };
      worker.onmessage = ({ data }: MessageEvent<TraceReply>) => answer(data);
      worker.onerror = ({ message }) => answer({ problem: `The worker failed: ${message}` });
      worker.postMessage(request);
    });
  }
}
