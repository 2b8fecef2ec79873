// The processes beside the service: its callers, a bare server, and the engine alone.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Helper } from '../core/process.ts';

const program = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const SLACK_MS = 60_000;

export interface Order {
  url: string;
  key: string;
  /** A PNG. */
  file: string;
  connections: number;
  ms: number;
  requests: number;
}

export interface Called {
  elapsedMs: number;
  cpuMs: number;
  latenciesMs: number[];
  timings: Record<string, number>[];
  refused: number;
}

/** Calls services, in a process of its own. */
export class Callers {
  readonly #helper = new Helper(process.execPath, [program('load.mjs')]);

  call(order: Order): Promise<Called> {
    return this.#helper.ask([JSON.stringify(order)], order.ms + SLACK_MS);
  }

  end(): void {
    this.#helper.end();
  }
}

/** Decodes and traces with no service around. */
export class Alone {
  readonly #helper: Helper;

  constructor() {
    const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
    this.#helper = new Helper(process.execPath, ['--import', tsx, program('alone.ts')]);
  }

  repeat(file: string, calls: number): Promise<{ cpuMs: number; wallMs: number; bytes: number }> {
    return this.#helper.ask([file, calls], SLACK_MS);
  }

  end(): void {
    this.#helper.end();
  }
}

/** A server that does nothing but HTTP. */
export class Bare {
  readonly #child: ChildProcess;
  readonly url: string;

  private constructor(child: ChildProcess, url: string) {
    this.#child = child;
    this.url = url;
  }

  static async start(answerBytes: number): Promise<Bare> {
    const args = [program('bare.mjs'), String(answerBytes)];
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    const lines = createInterface({ input: child.stdout });
    const [url] = (await once(lines, 'line', { signal: AbortSignal.timeout(SLACK_MS) })) as [string];
    return new Bare(child, url);
  }

  end(): void {
    this.#child.kill();
  }
}
