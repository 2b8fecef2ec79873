// Renders SVGs and compares them with their pictures, in a separate process, because an SVG may crash the renderer.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { overWhite, psnr, similarity } from './similarity.mjs';

/** Takes the folder in which the renderer is installed. */
export function load(folder) {
  const { Resvg } = createRequire(`${folder}/package.json`)('@resvg/resvg-js');
  return {
    compare(svgFile, rgbaFile, width, height) {
      // Some SVGs give their size in points.
      const fitTo = { mode: 'width', value: width };
      const options = { fitTo, background: '#ffffff', font: { loadSystemFonts: false } };
      const drawn = new Resvg(readFileSync(svgFile, 'utf8'), options).render();
      if (drawn.width !== width || drawn.height !== height)
        throw new Error(`the SVG renders at ${drawn.width} × ${drawn.height}, not ${width} × ${height}`);
      const picture = overWhite(readFileSync(rgbaFile));
      return { psnr: psnr(picture, drawn.pixels), ssim: similarity(picture, drawn.pixels, width, height) };
    },
  };
}
