import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('serve.mjs', import.meta.url));

/** The process failed or took too long. */
export class Failed extends Error {}

/** A module in a process of its own, which serve.mjs runs. */
export class Helper {
  readonly #child: ChildProcess;
  readonly #limitMs: number;
  #complaints = '';
  #settle = (_: { value?: unknown; error?: string }) => {};

  /** `args` are for the module's `load`; `env` adds to the environment. A call that takes longer than `limitMs` fails. */
  constructor(module: URL, args: string[], limitMs: number, env: Record<string, string> = {}) {
    this.#limitMs = limitMs;
    // Some packages print to stdout.
    this.#child = fork(program, [module.href, ...args], {
      stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
      execArgv: [],
      env: { ...process.env, ...env },
    });
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#complaints = (this.#complaints + text).slice(-4000);
    });
    this.#child.on('message', (answer) => this.#settle(answer as object));
    this.#child.on('error', ({ message }) => this.#settle({ error: message }));
    this.#child.on('close', () => this.#settle({ error: `ended: ${lastWords(this.#complaints)}` }));
  }

  /** Calls a function of the module; kills the process if that takes too long. */
  call<T>(name: string, ...values: (string | number)[]): Promise<T> {
    return new Promise((resolve, reject) => {
      const late = setTimeout(() => {
        this.end();
        this.#settle({ error: `took longer than ${this.#limitMs / 1000} s` });
      }, this.#limitMs);
      this.#settle = ({ value, error }) => {
        clearTimeout(late);
        if (error === undefined) resolve(value as T);
        else reject(new Failed(error));
      };
      this.#child.send([name, ...values]);
    });
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }
}

/** The line of a process's stderr that says best why it ended. */
export function lastWords(complaints: string): string {
  const lines = complaints.split('\n').filter((line) => line.trim() !== '');
  return lines.find((line) => /error|panic|abort|killed/i.test(line))?.trim() ?? lines.at(-1) ?? 'no message';
}
