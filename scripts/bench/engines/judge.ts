// How true drawings are to their pictures.
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

/** Renders drawings and compares them, in a process that may fail without harm. */
export class Judge {
  readonly #folder: string;
  #helper: Helper | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** A gap where the renderer cannot be had. */
  static hire(): Judge | Gap {
    try {
      return new Judge(npmInstall(RENDERER.name, RENDERER.version));
    } catch (error) {
      if (!(error instanceof StepFailed)) throw error;
      return { what: `PSNR and SSIM, which need ${RENDERER.name}`, why: error.message };
    }
  }

  async compare(svgFile: string, rgbaFile: string, { width, height }: PictureInfo): Promise<Fidelity> {
    this.#helper ??= new Helper(process.execPath, [program, this.#folder]);
    try {
      return await this.#helper.ask<Fidelity>([svgFile, rgbaFile, width, height], LIMIT_MS);
    } catch (error) {
      // Whether it still answers nobody knows; the next drawing gets a new one.
      if (error instanceof Failed) this.end();
      throw error;
    }
  }

  end(): void {
    this.#helper?.end();
    this.#helper = undefined;
  }
}
