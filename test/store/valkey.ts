import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { findStoreServer } from '../../scripts/setup/store-server.ts';
import { DEADLINE_MS } from '../http/service.ts';
import { freePort } from '../http/support/free-port.ts';

const program = findStoreServer();

/** Options of suites that need a server of the store. In CI they fail without one. */
export const needsValkey = {
  skip:
    program === undefined &&
    !process.env.CI &&
    'there is no Valkey or Redis here: npm run setup installs one',
};

/** A Valkey server of its own for a test. Nothing outlives `stop`. */
export class Valkey {
  readonly port: number;
  readonly #args: string[];
  readonly #folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  #process: ChildProcess;

  private constructor(port: number, args: string[]) {
    this.port = port;
    this.#args = args;
    this.#process = this.#spawn();
    process.on('exit', () => this.#process.kill('SIGKILL'));
  }

  static async start(...args: string[]): Promise<Valkey> {
    if (program === undefined)
      throw new Error('there is no Valkey or Redis here: npm run setup installs one');
    const valkey = new Valkey(await freePort(), args);
    await valkey.#untilUp();
    return valkey;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  /** It still accepts connections, as the kernel does that, but answers nothing. */
  freeze(): void {
    this.#process.kill('SIGSTOP');
  }

  resume(): void {
    this.#process.kill('SIGCONT');
  }

  async kill(): Promise<void> {
    const exit = once(this.#process, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    this.#process.kill('SIGKILL');
    await exit;
  }

  get #isRunning(): boolean {
    return this.#process.exitCode === null && this.#process.signalCode === null;
  }

  /** Starts it again, without its data, unless it runs. */
  async restart(): Promise<void> {
    if (this.#isRunning) return;
    this.#process = this.#spawn();
    await this.#untilUp();
  }

  async stop(): Promise<void> {
    if (this.#isRunning) await this.kill();
    rmSync(this.#folder, { recursive: true, force: true });
  }

  #spawn(): ChildProcess {
    const basics = ['--port', String(this.port), '--bind', '127.0.0.1', '--save', '', '--dir', this.#folder];
    return spawn(String(program), [...basics, ...this.#args], { stdio: 'ignore' });
  }

  async #untilUp(): Promise<void> {
    const endMs = Date.now() + DEADLINE_MS;
    while (!(await answers(this.port))) {
      if (Date.now() > endMs) throw new Error('Valkey did not start');
      await sleep(20);
    }
  }
}

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

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('error', () => resolve(false)).once('close', () => resolve(false));
    socket.once('data', (data) => {
      // An error counts as well: some commands need a password.
      resolve(/^[+-]/.test(String(data)) && !String(data).startsWith('-LOADING'));
      socket.destroy();
    });
    socket.write('PING\r\n');
  });
}
