// Renders SVGs and compares them with their pictures, in a separate process, because an SVG may crash the renderer.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import sharp from 'sharp';
import { residual } from './residual.mjs';
import { overWhite, psnr, similarity } from './similarity.mjs';

/** Takes the folder in which the renderer is installed. */
export function load(folder) {
  const { Resvg } = createRequire(`${folder}/package.json`)('@resvg/resvg-js');
  return {
    async compare(svgFile, rgbaFile, width, height) {
      // Some SVGs give their size in points.
      const fitTo = { mode: 'width', value: width };
      const options = { fitTo, background: '#ffffff', font: { loadSystemFonts: false } };
      const drawn = new Resvg(readFileSync(svgFile, 'utf8'), options).render();
      if (drawn.width !== width || drawn.height !== height)
        throw new Error(`the SVG renders at ${drawn.width} × ${drawn.height}, not ${width} × ${height}`);
      const picture = overWhite(readFileSync(rgbaFile));
      const { map, ...found } = residual(picture, drawn.pixels, width, height);
      await writeMap(map, width, height, svgFile.replace(/svg$/, 'residual.png'));
      const ssim = similarity(picture, drawn.pixels, width, height);
      return { psnr: psnr(picture, drawn.pixels), ssim, residual: found };
    },
  };
}

/** Writes a map of what a drawing lacks as a gray picture: white is 16 times the noise, or more. */
async function writeMap(map, width, height, file) {
  const levels = Uint8Array.from(map, (excess) => Math.min(255, 16 * Math.sqrt(excess)));
  await sharp(levels, { raw: { width, height, channels: 1 } })
    .png()
    .toFile(file);
}
