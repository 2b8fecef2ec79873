// A server of the shared store, for tests and measurements.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findStoreServer } from '../setup/store-server.ts';
import { freePort } from './free-port.ts';
import { DEADLINE_MS } from './service.ts';

const program = findStoreServer();

/** A Valkey server of its own. Nothing outlives `stop`. */
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
