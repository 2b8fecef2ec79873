import type { Result } from '../batch.ts';
import type { Failure } from '../failure.ts';
import { type Inputs, STREAM } from '../inputs.ts';
import type { Task } from '../outputs.ts';
import { ProgressBar } from './progress-bar.ts';

export interface ReportOptions {
  isQuiet: boolean;
  /** stderr, as stdout is for SVGs and JSON. */
  stream: NodeJS.WriteStream;
}

type Status = Result['status'];

/** Collects the results, and prints progress while the work goes on. */
export class Report {
  readonly #tasks: Task[];
  readonly #results: Result[];
  readonly #inputs: Inputs;
  readonly #options: ReportOptions;
  readonly #progressBar: ProgressBar | undefined;
  #finished = 0;

  constructor(tasks: Task[], inputs: Inputs, options: ReportOptions) {
    this.#tasks = tasks;
    this.#results = tasks.map(() => ({ status: 'interrupted' }));
    this.#inputs = inputs;
    this.#options = options;
    for (const { path, failure } of inputs.unreadable) this.#write(failureLine(path, failure));
    const { stream, isQuiet } = options;
    // A terminal without colors, or with NO_COLOR, may not be able to rewrite a line.
    const canRewrite = stream.isTTY && stream.hasColors();
    if (canRewrite && !isQuiet && tasks.length > 1) this.#progressBar = new ProgressBar(stream, tasks.length);
  }

  /** Adds the result of the task at `index`. */
  add(index: number, result: Result): void {
    this.#results[index] = result;
    const line = this.#lineOf(this.#tasks[index] as Task, result, ++this.#finished);
    // With a progress bar or --quiet, only failures get a line.
    const showsAll = this.#progressBar === undefined && !this.#options.isQuiet;
    const lines = result.status === 'failed' || showsAll ? line : '';
    if (this.#progressBar === undefined) this.#write(lines);
    else this.#progressBar.step(lines);
  }

  /** Prints a line about the run, unless --quiet is given. */
  note(text: string): void {
    if (this.#options.isQuiet) return;
    const line = `${printable(text)}\n`;
    if (this.#progressBar === undefined) this.#write(line);
    else this.#progressBar.print(line);
  }

  /** Prints the summary. */
  end(): void {
    this.#progressBar?.clear();
    if (this.#options.isQuiet || this.#results.length + this.#inputs.skippedFiles === 1) return;
    const { traced, kept, failed, interrupted, passedOver } = this.totals();
    const parts = [`${traced} traced`, `${failed} failed`];
    if (kept > 0) parts.push(`${kept} skipped (SVG exists)`);
    if (interrupted > 0) parts.push(`${interrupted} not finished`);
    if (passedOver > 0) parts.push(`${passedOver} skipped (not an image)`);
    this.#write(`${parts.join(', ')}.\n`);
  }

  /** Counts by status. An unreadable folder counts as failed. The names are part of the JSON report. */
  totals(): Record<Status | 'passedOver', number> {
    const count = (status: Status) => this.#results.filter((result) => result.status === status).length;
    const { unreadable, skippedFiles } = this.#inputs;
    return {
      traced: count('traced'),
      failed: count('failed') + unreadable.length,
      kept: count('kept'),
      interrupted: count('interrupted'),
      passedOver: skippedFiles,
    };
  }

  /** The records of the JSON report: unreadable folders, then all images in the order of the command line. */
  records(): object[] {
    const folders = this.#inputs.unreadable.map(({ path, failure }) => ({
      path,
      output: null,
      status: 'failed',
      error: failure,
    }));
    const images = this.#tasks.map(({ from, to }, index) => {
      const result = this.#results[index] as Result;
      const common = { path: from, output: to, status: result.status };
      if (result.status === 'traced') return { ...common, ...result.file };
      return result.status === 'failed' ? { ...common, error: result.failure } : common;
    });
    return [...folders, ...images];
  }

  #lineOf({ from, to }: Task, result: Result, number: number): string {
    const position = this.#tasks.length > 1 ? `[${number}/${this.#tasks.length}] ` : '';
    if (result.status === 'failed') return position + failureLine(from, result.failure);
    const arrow = `${position}${displayName(from)} → ${to === STREAM ? 'stdout' : displayName(to)}`;
    if (result.status !== 'traced') return `${arrow} skipped: the SVG exists\n`;
    const { outputBytes, paths, decodeMs, traceMs } = result.file;
    return `${arrow} (${outputBytes} bytes, ${paths} paths, ${Math.round(decodeMs + traceMs)} ms)\n`;
  }

  #write(text: string): void {
    this.#options.stream.write(text);
  }
}

const failureLine = (path: string, { message, code }: Failure) =>
  `${displayName(path)} failed: ${printable(message)} (${code})\n`;

/** Control characters, and those that change the direction of text. */
const UNPRINTABLE = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

/** Escapes characters of file names that a terminal would interpret, so that the text stays on one line. */
export const printable = (text: string): string =>
  text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);

const displayName = (path: string): string => (path === STREAM ? 'stdin' : printable(path));
