import { type Options, version } from 'tracesmith-wasm';
import { identify } from '../../image/inspect.ts';
import type { ExistingFilePolicy } from '../command.ts';
import { RemoteFailure } from '../failure.ts';
import type { TracedFile } from '../file-tracer.ts';
import { countPaths, keepsExisting, readImage, writeSvg } from '../files.ts';
import type { Task } from '../outputs.ts';
import { Hosts } from './hosts.ts';
import { type Answer, type Body, encodeBody, RequestFailed, sendImage } from './send-image.ts';

/** The most that any service can be set to accept. */
const MAX_FILE_BYTES = 1024 ** 3;
/** How long an image may wait for hosts that refuse it for a while. */
const MAX_WAIT_MS = 600_000;
/** An image whose requests break this often may be the cause. */
const MAX_FAULTS = 5;
/** The host may be less busy the next time, but each attempt costs it much CPU time and counts against the rate limit. */
const MAX_SLOW = 2;

export interface RemoteTracerOptions {
  /** Base URLs. */
  hosts: string[];
  key: string;
  options: Options;
  existing: ExistingFilePolicy;
  jobs: number;
  /** Gets a line for people whenever a host is left out. */
  note(text: string): void;
}

/** What the JSON report says about an image that another host traced. */
export interface RemoteFile extends Omit<TracedFile, 'thread'> {
  host: string;
  attempts: number;
}

/** Traces image files to SVG files on other hosts, over HTTP. */
export class RemoteTracer {
  readonly #settings: RemoteTracerOptions;
  readonly #hosts: Hosts;
  readonly #credentials: { key: string; userAgent: string };

  constructor(settings: RemoteTracerOptions) {
    this.#settings = settings;
    this.#hosts = new Hosts(settings.hosts, settings.jobs, settings.note);
    this.#credentials = { key: settings.key, userAgent: `tracesmith/${version()}` };
  }

  /** Reads an image, has it traced and writes the SVG. Resolves to undefined if its SVG exists and is to be kept. */
  async trace(task: Task): Promise<RemoteFile | undefined> {
    const { options, existing } = this.#settings;
    if (await keepsExisting(task, existing)) return undefined;
    const file = await readImage(task.from, MAX_FILE_BYTES);
    // A request for what is no image would count against the rate limit.
    identify(file);
    const body = await encodeBody(new Uint8Array(file), options);
    const { svg, timings, host, attempts } = await this.#send(body);
    await writeSvg(task.to, svg);
    const counts = { inputBytes: file.length, outputBytes: svg.length, paths: countPaths(svg) };
    const [decodeMs, traceMs] = [timings.get('decode') ?? 0, timings.get('trace') ?? 0];
    return { ...sizeOf(svg), ...counts, decodeMs, traceMs, host, attempts };
  }

  async close(): Promise<void> {}

  /** Repeats a request until it succeeds, fails for good, or has waited for too long. */
  async #send(body: Body): Promise<Answer & { host: string; attempts: number }> {
    const deadlineMs = performance.now() + MAX_WAIT_MS;
    const counts = { fault: 0, slow: 0 };
    for (let attempts = 1; ; attempts++) {
      const host = await this.#hosts.begin(deadlineMs);
      try {
        const answer = await sendImage(host.url, body, this.#credentials);
        this.#hosts.succeeded(host);
        return { ...answer, host: host.url, attempts };
      } catch (error) {
        if (!(error instanceof RequestFailed)) throw error;
        this.#hosts.failed(host, error);
        if (error.verdict === 'fault' || error.verdict === 'slow') counts[error.verdict]++;
        const isFinal = error.verdict === 'image' || counts.fault === MAX_FAULTS || counts.slow === MAX_SLOW;
        if (isFinal) throw new RemoteFailure(error.failure);
      }
    }
  }
}

/** Width and height of the root element. */
function sizeOf(svg: Uint8Array): { width: number; height: number } {
  const head = Buffer.from(svg.buffer, svg.byteOffset, Math.min(svg.length, 1024)).toString();
  const read = (name: string) => Number(new RegExp(` ${name}="([\\d.]+)"`).exec(head)?.[1] ?? 0);
  return { width: read('width'), height: read('height') };
}
