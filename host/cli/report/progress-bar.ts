import { clearLine, cursorTo } from 'node:readline';
import type { WriteStream } from 'node:tty';

/** In columns. A terminal too narrow for bar and numbers is rare; it wraps the line. */
const BAR_WIDTH = 30;

/**
 * A progress bar in the last line of a terminal. (cli-progress has not been maintained since 2023, and other packages bring
 * a dozen dependencies for names, colors and timers that are not needed here.)
 */
export class ProgressBar {
  readonly #stream: WriteStream;
  readonly #total: number;
  #done = 0;

  constructor(stream: WriteStream, total: number) {
    this.#stream = stream;
    this.#total = total;
    this.#draw();
  }

  /** Advances the bar by one and prints `lines` above it. */
  step(lines: string): void {
    this.#done++;
    this.print(lines);
  }

  /** Prints `lines` above the bar. */
  print(lines: string): void {
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
