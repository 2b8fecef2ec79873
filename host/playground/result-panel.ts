import { byId } from './dom.ts';
import type { Traced } from './trace-messages.ts';

/** What is said about the drawing, and the ways to take it away. */
export class Result {
  readonly #status = byId('status', HTMLElement);
  readonly #progress = byId('progress', HTMLElement);
  readonly #bar = byId('bar', HTMLProgressElement);
  readonly #copy = byId('copy', HTMLButtonElement);
  readonly #download = byId('download', HTMLButtonElement);
  #svg: Blob | undefined;
  #name = 'drawing';

  constructor() {
    this.#copy.addEventListener('click', () => void this.#copyText());
    this.#download.addEventListener('click', () => this.#save());
  }

  showWork(pictureName: string): void {
    this.#name = pictureName.replace(/\.[^.]*$/, '') || 'drawing';
    this.#progress.hidden = false;
    // Without a value it moves to and fro: how long decoding takes nobody knows.
    this.#bar.removeAttribute('value');
    this.#say('Tracing…');
  }

  /** How much of the picture is traced, 0 to 1. */
  showProgress(done: number): void {
    this.#bar.value = done;
  }

  showDrawing(traced: Traced): void {
    this.#progress.hidden = true;
    this.#offer(traced.svg);
    const { width, height, paths, nodes, svg, gzipBytes, decodeMs, traceMs } = traced;
    setText('facts-picture', `${count(width)} × ${count(height)} px`);
    setText('facts-time', `${duration(traceMs)}, and ${duration(decodeMs)} to decode`);
    setText('facts-size', `${size(svg.size)}, ${size(gzipBytes)} gzipped`);
    setText('facts-paths', `${count(paths)}, with ${count(nodes)} nodes`);
    this.#say(`Traced in ${duration(traceMs)}: ${count(paths)} paths, ${size(svg.size)}.`);
  }

  showStopped(): void {
    this.#progress.hidden = true;
    this.#say('Stopped.');
  }

  showProblem(words: string): void {
    this.#progress.hidden = true;
    this.#say(words);
  }

  /** There is a new picture, or none. */
  clear(): void {
    this.#offer(undefined);
    for (const name of ['picture', 'time', 'size', 'paths']) setText(`facts-${name}`, '–');
  }

  #offer(svg: Blob | undefined): void {
    this.#svg = svg;
    this.#copy.disabled = this.#download.disabled = svg === undefined;
  }

  async #copyText(): Promise<void> {
    if (this.#svg === undefined) return;
    try {
      await navigator.clipboard.writeText(await this.#svg.text());
      this.#say('Copied the SVG to the clipboard.');
    } catch {
      this.#say('The browser did not allow copying; download the SVG instead.');
    }
  }

  #save(): void {
    if (this.#svg === undefined) return;
    const address = URL.createObjectURL(this.#svg);
    Object.assign(document.createElement('a'), { href: address, download: `${this.#name}.svg` }).click();
    // The browser has taken hold of it by then.
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
  }

  #say(words: string): void {
    this.#status.textContent = words;
  }
}

function setText(id: string, text: string): void {
  byId(id, HTMLElement).textContent = text;
}

const count = (value: number) => value.toLocaleString('en');

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1e6 ? `${(bytes / 1e3).toFixed(1)} kB` : `${(bytes / 1e6).toFixed(2)} MB`;
}

function duration(ms: number): string {
  if (ms < 1000) return `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`;
  return `${(ms / 1000).toFixed(2)} s`;
}
