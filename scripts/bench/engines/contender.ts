import { fileURLToPath } from 'node:url';
import { Helper } from '../core/process.ts';
import type { ContenderInfo, PictureInfo } from '../core/results.ts';

/** An engine that can take part. */
export interface Contender extends ContenderInfo {
  modes: readonly PictureInfo['mode'][];
  /** The program that answers the commands of contender.mjs. */
  command: string;
  args: string[];
  /** Added to its environment. */
  env?: Record<string, string>;
}

/** What one or more calls took together. */
export interface Calls {
  cpuMs: number;
  wallMs: number;
  bytes: number;
  peakBytes: number;
  engineBytes?: number;
}

const program = fileURLToPath(new URL('contender.mjs', import.meta.url));
const adapters = new URL('../adapters/', import.meta.url);

/** An engine with an adapter in adapters/; `place` is where it is installed. */
export function inNode(adapter: string, place: string): Pick<Contender, 'command' | 'args'> {
  return { command: process.execPath, args: [program, new URL(`${adapter}.mjs`, adapters).href, place] };
}

const LOADING_LIMIT_MS = 60_000;

/** A process in which an engine has one picture, and traces it as often as it is told. */
export class Racer {
  readonly contender: Contender;
  readonly #helper: Helper;
  readonly #limitMs: number;

  constructor(contender: Contender, limitMs: number) {
    this.contender = contender;
    this.#helper = new Helper(contender.command, contender.args, contender.env);
    this.#limitMs = limitMs;
  }

  /** Hands over the picture; resolves with the memory that the process has then. */
  async take({ mode, width, height }: PictureInfo, rgbaFile: string): Promise<number> {
    const fields = ['picture', mode, width, height, rgbaFile];
    const { residentBytes } = await this.#helper.ask<{ residentBytes: number }>(fields, LOADING_LIMIT_MS);
    return residentBytes;
  }

  run(calls: number): Promise<Calls> {
    return this.#helper.ask(['run', calls], this.#limitMs);
  }

  /** Processor time of one call, by stage, over so many calls; empty where the engine does not tell. */
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
