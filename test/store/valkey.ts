import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findStoreServer } from '../../scripts/setup/store-server.ts';
import { DEADLINE_MS } from '../http/service.ts';

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

/** A TCP proxy in front of a store, which delays what passes. */
export class DelayingProxy {
  delayMs = 0;
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(server: Server, targetPort: number) {
    this.#server = server;
    server.on('connection', (client) => {
      const target = connect(targetPort, '127.0.0.1');
      this.#pass(client, target);
      this.#pass(target, client);
    });
  }

  static async start(targetPort: number): Promise<DelayingProxy> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new DelayingProxy(server, targetPort);
  }

  get url(): string {
    return `redis://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    for (const socket of this.#sockets) socket.destroy();
  }

  #pass(from: Socket, to: Socket): void {
    this.#sockets.add(from);
    from.setNoDelay();
    // Bytes stay in order, even if the delay becomes shorter.
    let last: Promise<unknown> = Promise.resolve();
    from.on('data', (data) => {
      const due = sleep(this.delayMs, undefined, { ref: false });
      last = last.then(() => due).then(() => to.write(data));
    });
    from.on('error', () => {});
    from.on('close', () => {
      this.#sockets.delete(from);
      to.destroy();
    });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
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
