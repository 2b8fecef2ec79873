import { fileURLToPath } from 'node:url';
import { Helper } from '../core/process.ts';
import type { ContenderInfo, PictureInfo } from '../core/results.ts';

/** An engine in the benchmark. */
export interface Contender extends ContenderInfo {
  modes: readonly PictureInfo['mode'][];
  /** The arguments of Node.js that run contender.mjs with the engine. */
  args: string[];
  /** Additional environment variables. */
  env?: Record<string, string>;
}

/** The cost of one or more calls. */
export interface Calls {
  cpuMs: number;
  wallMs: number;
  bytes: number;
  peakBytes: number;
  engineBytes?: number;
}

const program = fileURLToPath(new URL('contender.mjs', import.meta.url));
const adapters = new URL('../adapters/', import.meta.url);

/** An engine with an adapter in adapters/; `place` is the folder or file of the engine. */
export function inNode(adapter: string, place: string): Pick<Contender, 'args'> {
  return { args: [program, new URL(`${adapter}.mjs`, adapters).href, place] };
}

const LOADING_LIMIT_MS = 60_000;

/** A process in which an engine traces one picture repeatedly. */
export class Racer {
  readonly contender: Contender;
  readonly #helper: Helper;
  readonly #limitMs: number;

  constructor(contender: Contender, limitMs: number) {
    this.contender = contender;
    this.#helper = new Helper(contender.args, contender.env);
    this.#limitMs = limitMs;
  }

  /** Loads the picture; resolves with the resident memory of the process. */
  async take({ mode, width, height }: PictureInfo, rgbaFile: string): Promise<number> {
    const fields = ['picture', mode, width, height, rgbaFile];
    const { residentBytes } = await this.#helper.ask<{ residentBytes: number }>(fields, LOADING_LIMIT_MS);
    return residentBytes;
  }

  run(calls: number): Promise<Calls> {
    return this.#helper.ask(['run', calls], this.#limitMs);
  }

  /** Mean processor time of each stage over a number of calls; empty if the engine does not report stages. */
  async stages(calls: number): Promise<Record<string, number>> {
    const fields = ['stages', calls];
    return (await this.#helper.ask<{ stagesMs: Record<string, number> }>(fields, this.#limitMs)).stagesMs;
  }

  async write(file: string): Promise<void> {
    await this.#helper.ask(['svg', file], LOADING_LIMIT_MS);
  }

  end(): void {
    this.#helper.end();
  }
}
