import { byId } from './dom.ts';
import type { Traced } from './trace-messages.ts';

/** The status line, the statistics of the SVG, and the buttons to copy and download it. */
export class ResultPanel {
  readonly #status = byId('status', HTMLElement);
  readonly #progress = byId('progress', HTMLElement);
  readonly #bar = byId('bar', HTMLProgressElement);
  readonly #copy = byId('copy', HTMLButtonElement);
  readonly #download = byId('download', HTMLButtonElement);
  #svg: Blob | undefined;
  #name = 'image';

  constructor() {
    this.#copy.addEventListener('click', () => void this.#copyText());
    this.#download.addEventListener('click', () => this.#save());
  }

  showTracing(imageName: string): void {
    this.#name = imageName.replace(/\.[^.]*$/, '') || 'image';
    this.#progress.hidden = false;
    // Indeterminate while the image is decoded, which reports no progress.
    this.#bar.removeAttribute('value');
    this.#setStatus('Tracing…');
  }

  /** Shows the progress of the trace, from 0 to 1. */
  showProgress(progress: number): void {
    this.#bar.value = progress;
  }

  showTraced(traced: Traced): void {
    this.#progress.hidden = true;
    this.#setSvg(traced.svg);
    const { width, height, paths, nodes, svg, gzipBytes, decodeMs, traceMs } = traced;
    setText('facts-image', `${count(width)} × ${count(height)} px`);
    setText('facts-time', `${duration(traceMs)} tracing, ${duration(decodeMs)} decoding`);
    setText('facts-size', `${size(svg.size)}, ${size(gzipBytes)} gzipped`);
    setText('facts-paths', `${count(paths)} (${count(nodes)} nodes)`);
    this.#setStatus(`Traced in ${duration(traceMs)}: ${count(paths)} paths, ${size(svg.size)}.`);
  }

  showStopped(): void {
    this.#progress.hidden = true;
    this.#setStatus('Stopped.');
  }

  showError(message: string): void {
    this.#progress.hidden = true;
    this.#setStatus(message);
  }

  /** Removes the SVG and its statistics, for a new image. */
  clear(): void {
    this.#setSvg(undefined);
    for (const name of ['image', 'time', 'size', 'paths']) setText(`facts-${name}`, '–');
  }

  #setSvg(svg: Blob | undefined): void {
    this.#svg = svg;
    this.#copy.disabled = this.#download.disabled = svg === undefined;
  }

  async #copyText(): Promise<void> {
    if (this.#svg === undefined) return;
    try {
      await navigator.clipboard.writeText(await this.#svg.text());
      this.#setStatus('Copied the SVG to the clipboard.');
    } catch {
      this.#setStatus('The browser blocked access to the clipboard. Download the SVG instead.');
    }
  }

  #save(): void {
    if (this.#svg === undefined) return;
    const url = URL.createObjectURL(this.#svg);
    Object.assign(document.createElement('a'), { href: url, download: `${this.#name}.svg` }).click();
    // By then, the browser has started the download.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  }

  #setStatus(text: string): void {
    this.#status.textContent = text;
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
