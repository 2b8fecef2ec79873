import type { Result } from './batch.ts';
import type { Failure } from './failure.ts';
import { type Found, STREAM } from './inputs.ts';
import type { Task } from './outputs.ts';
import { Progress } from './progress-bar.ts';

export interface Settings {
  isQuiet: boolean;
  /** stderr: stdout is for drawings and for JSON. */
  stream: NodeJS.WriteStream;
}

type Status = Result['status'];

/** Remembers what became of every picture, and tells a person while it goes on. */
export class Report {
  readonly #tasks: Task[];
  readonly #results: Result[];
  readonly #found: Found;
  readonly #settings: Settings;
  readonly #progress: Progress | undefined;
  #finished = 0;

  constructor(tasks: Task[], found: Found, settings: Settings) {
    this.#tasks = tasks;
    this.#results = tasks.map(() => ({ status: 'interrupted' }));
    this.#found = found;
    this.#settings = settings;
    for (const { path, failure } of found.unreadable) this.#write(failed(path, failure));
    const { stream, isQuiet } = settings;
    // One that knows no colors, or is told to use none, may not know how to rewrite a line either.
    const canRewrite = stream.isTTY && stream.hasColors();
    if (canRewrite && !isQuiet && tasks.length > 1) this.#progress = new Progress(stream, tasks.length);
  }

  tell(index: number, result: Result): void {
    this.#results[index] = result;
    const line = this.#lineOf(this.#tasks[index] as Task, result, ++this.#finished);
    // Where a bar shows how it goes, and to whom wants quiet, only failures are worth a line.
    const isWorthIt = result.status === 'failed' || (this.#progress === undefined && !this.#settings.isQuiet);
    const shown = isWorthIt ? line : '';
    if (this.#progress === undefined) this.#write(shown);
    else this.#progress.step(shown);
  }

  /** The last line, for a person. */
  end(): void {
    this.#progress?.clear();
    if (this.#settings.isQuiet || this.#results.length + this.#found.passedOver === 1) return;
    const { traced, kept, failed, interrupted, passedOver } = this.totals();
    const parts = [`${traced} traced`, `${failed} failed`];
    if (kept > 0) parts.push(`${kept} there already`);
    if (interrupted > 0) parts.push(`${interrupted} not finished`);
    if (passedOver > 0) parts.push(`${passedOver} passed over as no pictures`);
    this.#write(`${parts.join(', ')}.\n`);
  }

  /** How many pictures came to which end; a folder that could not be read counts as one that failed. */
  totals(): Record<Status | 'passedOver', number> {
    const count = (status: Status) => this.#results.filter((result) => result.status === status).length;
    const { unreadable, passedOver } = this.#found;
    return {
      traced: count('traced'),
      failed: count('failed') + unreadable.length,
      kept: count('kept'),
      interrupted: count('interrupted'),
      passedOver,
    };
  }

  /** A record of every picture, in the order of the command line. */
  records(): object[] {
    const folders = this.#found.unreadable.map(({ path, failure }) => ({
      path,
      output: null,
      status: 'failed',
      error: failure,
    }));
    const pictures = this.#tasks.map(({ from, to }, index) => {
      const result = this.#results[index] as Result;
      const common = { path: from, output: to, status: result.status };
      if (result.status === 'traced') return { ...common, ...result.drawn };
      return result.status === 'failed' ? { ...common, error: result.failure } : common;
    });
    return [...folders, ...pictures];
  }

  #lineOf({ from, to }: Task, result: Result, number: number): string {
    const place = this.#tasks.length > 1 ? `[${number}/${this.#tasks.length}] ` : '';
    if (result.status === 'failed') return place + failed(from, result.failure);
    const arrow = `${place}${shown(from)} → ${to === STREAM ? 'stdout' : shown(to)}`;
    if (result.status !== 'traced') return `${arrow} is there already\n`;
    const { outputBytes, paths, decodeMs, traceMs } = result.drawn;
    return `${arrow} (${outputBytes} bytes, ${paths} paths, ${Math.round(decodeMs + traceMs)} ms)\n`;
  }

  #write(text: string): void {
    this.#settings.stream.write(text);
  }
}

const failed = (path: string, { message, code }: Failure) =>
  `${shown(path)} failed: ${printable(message)} (${code})\n`;

/** Names can hold what a terminal obeys, or what turns the writing around. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** A text on one line, with nothing in it that a terminal would obey. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

const shown = (path: string): string => (path === STREAM ? 'stdin' : printable(path));
