import { Failed, Helper } from '../core/process.ts';
import type { Gap, Measurement, PictureInfo } from '../core/results.ts';
import { installOrGap } from './install.ts';

const RENDERER = { package: '@resvg/resvg-js', version: '2.6.2' };
const LIMIT_MS = 120_000;

/** Renders SVGs and compares them with their pictures, in a process that may fail. */
export class Judge {
  readonly #folder: string;
  #helper: Helper | undefined;

  private constructor(folder: string) {
    this.#folder = folder;
  }

  /** Adds a gap if the renderer cannot be installed. */
  static install(gaps: Gap[]): Judge | undefined {
    const folder = installOrGap(RENDERER, `PSNR and SSIM, which need ${RENDERER.package}`, gaps);
    return folder === undefined ? undefined : new Judge(folder);
  }

  async compare(svgFile: string, rgbaFile: string, { width, height }: PictureInfo) {
    this.#helper ??= new Helper(new URL('judge.mjs', import.meta.url), [this.#folder], LIMIT_MS);
    try {
      const values = [svgFile, rgbaFile, width, height];
      return await this.#helper.call<Pick<Measurement, 'psnr' | 'ssim'>>('compare', ...values);
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
