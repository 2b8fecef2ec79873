import { clearLine, cursorTo } from 'node:readline';
import type { WriteStream } from 'node:tty';

/** Columns: narrower terminals than bar and numbers together are rare, and wrap. */
const BAR_WIDTH = 30;

/**
 * One line at the bottom of a terminal that says how far the work has come. (cli-progress has not been kept since 2023, and
 * the others that draw a bar bring a dozen packages; this needs neither names nor colors, nor a timer.)
 */
export class Progress {
  readonly #stream: WriteStream;
  readonly #total: number;
  #done = 0;

  constructor(stream: WriteStream, total: number) {
    this.#stream = stream;
    this.#total = total;
    this.#draw();
  }

  /** Counts one more, and puts what there is to say of it above. */
  step(lines: string): void {
    this.#done++;
    this.clear();
    this.#stream.write(lines);
    this.#draw();
  }

  clear(): void {
    cursorTo(this.#stream, 0);
    clearLine(this.#stream, 0);
  }

  #draw(): void {
    const filled = Math.floor((BAR_WIDTH * this.#done) / this.#total);
    const bar = '#'.repeat(filled).padEnd(BAR_WIDTH, '.');
    this.#stream.write(`[${bar}] ${this.#done} of ${this.#total}`);
  }
}
