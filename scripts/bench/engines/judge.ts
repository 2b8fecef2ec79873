import { Failed, Helper } from '../core/process.ts';
import type { Gap, Measurement, PictureInfo } from '../core/results.ts';
import { installOrGap } from './install.ts';

const RENDERER = { package: '@resvg/resvg-js', version: '2.6.2' };
const LIMIT_MS = 120_000;

/** Renders SVGs and compares them with their pictures, in a process that may fail. */
export class Judge {
  readonly #folder: string;
  readonly #gaps: Gap[];
  #helper: Helper | undefined;

  constructor(rendererFolder: string, gaps: Gap[]) {
    this.#folder = rendererFolder;
    this.#gaps = gaps;
  }

  /** Adds PSNR, SSIM and the residual to a measurement, or a gap. */
  async compare(measurement: Measurement, svgFile: string, rgbaFile: string, picture: PictureInfo) {
    this.#helper ??= new Helper(new URL('judge.mjs', import.meta.url), [this.#folder], LIMIT_MS);
    const { width, height } = picture;
    try {
      Object.assign(measurement, await this.#helper.call('compare', svgFile, rgbaFile, width, height));
    } catch (error) {
      if (!(error instanceof Failed)) throw error;
      const what = `fidelity of ${measurement.contender} on ${picture.name}`;
      this.#gaps.push({ what, why: error.message });
      // The process may not answer any more, so the next SVG gets a new one.
      this.end();
    }
  }

  end(): void {
    this.#helper?.end();
    this.#helper = undefined;
  }
}

/** A judge; a gap if the renderer cannot be installed. */
export function installJudge(gaps: Gap[]): Judge | undefined {
  const folder = installOrGap(RENDERER, `PSNR and SSIM, which need ${RENDERER.package}`, gaps);
  return folder === undefined ? undefined : new Judge(folder, gaps);
}
