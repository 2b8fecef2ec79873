import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { DEADLINE_MS } from '../http/service.ts';

/** A TCP proxy in front of a store. */
export class DelayingProxy {
  readonly url: string;
  readonly #thread: Worker;

  private constructor(thread: Worker, port: number) {
    this.#thread = thread;
    this.url = `redis://127.0.0.1:${port}`;
  }

  static async start(port: number): Promise<DelayingProxy> {
    const thread = new Worker(new URL('./proxy-thread.mjs', import.meta.url), { workerData: { port } });
    const [ownPort] = await once(thread, 'message', { signal: AbortSignal.timeout(DEADLINE_MS) });
    return new DelayingProxy(thread, ownPort);
  }

  /** Delays what passes from now on, in each direction. */
  delay(ms: number): void {
    this.#thread.postMessage(ms);
  }

  async stop(): Promise<void> {
    await this.#thread.terminate();
  }
}
