import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

/** The process failed or took too long. */
export class Failed extends Error {}

type Answer = Record<string, unknown>;

/** A Node.js process that answers each line on stdin with a line of JSON on stdout. */
export class Helper {
  readonly #child: ChildProcess;
  readonly #answers: AsyncIterator<string>;
  #complaints = '';

  /** `env` adds to the environment. */
  constructor(args: string[], env: Record<string, string> = {}) {
    this.#child = spawn(process.execPath, args, {
      stdio: ['pipe', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    });
    const { stdin, stdout, stderr } = this.#child;
    if (stdin === null || stdout === null || stderr === null) throw new Failed('no pipes');
    // A process that died is noticed when its answers end.
    stdin.on('error', () => {});
    this.#child.on('error', (error) => this.#complain(error.message));
    stderr.setEncoding('utf8').on('data', (text: string) => this.#complain(text));
    this.#answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  }

  /** Sends a command and waits for the answer; kills the process if that takes too long. */
  async ask<T>(fields: readonly (string | number)[], limitMs: number): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => {
        this.end();
        reject(new Failed(`took longer than ${limitMs / 1000} s`));
      }, limitMs);
    });
    this.#child.stdin?.write(`${fields.join('\t')}\n`);
    const { value, done } = await Promise.race([this.#answers.next(), late]).finally(() =>
      clearTimeout(timer),
    );
    if (done === true) throw new Failed(`ended: ${this.#lastWords()}`);
    const answer = JSON.parse(value) as Answer;
    if (typeof answer.error === 'string') throw new Failed(answer.error);
    return answer as T;
  }

  end(): void {
    this.#child.kill('SIGKILL');
  }

  #complain(text: string): void {
    this.#complaints = (this.#complaints + text).slice(-4000);
  }

  #lastWords(): string {
    const lines = this.#complaints.split('\n').filter((line) => line.trim() !== '');
    return (
      lines.find((line) => /error|panic|abort|killed/i.test(line))?.trim() ?? lines.at(-1) ?? 'no message'
    );
  }
}
