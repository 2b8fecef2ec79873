import { fileURLToPath } from 'node:url';
import { StepFailed } from '../../lib/command.ts';
import { Failed, Helper } from '../core/process.ts';
import type { Gap, PictureInfo } from '../core/results.ts';
import { npmInstall } from './install.ts';

const RENDERER = { name: '@resvg/resvg-js', version: '2.6.2' };
const LIMIT_MS = 120_000;
const program = fileURLToPath(new URL('judge.mjs', import.meta.url));

export interface Fidelity {
  psnr: number;
  ssim?: number;
}

/** Renders SVGs and compares them with their pictures, in a process that may fail. */
export class Judge {
  readonly #folder: string;
  #helper: Helper | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a gap if the renderer cannot be installed. */
  static install(gaps: Gap[]): Judge | undefined {
    try {
      return new Judge(npmInstall(RENDERER.name, RENDERER.version));
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      gaps.push({ what: `PSNR and SSIM, which need ${RENDERER.name}`, why: error.message });
      return undefined;
    }
  }

  async compare(svgFile: string, rgbaFile: string, { width, height }: PictureInfo): Promise<Fidelity> {
    this.#helper ??= new Helper([program, this.#folder]);
    try {
      return await this.#helper.ask<Fidelity>([svgFile, rgbaFile, width, height], LIMIT_MS);
    } catch (error) {
      // The process may not answer any more, so the next SVG gets a new one.
      if (error instanceof Failed) this.end();
      throw error;
    }
  }

  end(): void {
    this.#helper?.end();
    this.#helper = undefined;
  }
}
