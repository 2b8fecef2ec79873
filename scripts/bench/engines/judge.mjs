// Renders SVGs and compares them with their pictures, in a separate process, because an SVG may crash the renderer. Each line
// on stdin holds SVG file, RGBA file, width and height, separated by tabs; each line on stdout is the answer as JSON.
// Argument: the folder in which the renderer is installed.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { createInterface } from 'node:readline';
import { psnr, ssim } from './similarity.mjs';

const { Resvg } = createRequire(`${process.argv[2]}/package.json`)('@resvg/resvg-js');

/** RGB over white. */
function overWhite(rgba) {
  const rgb = new Uint8Array((rgba.length / 4) * 3);
  for (let i = 0, j = 0; i < rgba.length; i += 4, j += 3) {
    const alpha = rgba[i + 3];
    for (let k = 0; k < 3; k++) rgb[j + k] = Math.round((rgba[i + k] * alpha + 255 * (255 - alpha)) / 255);
  }
  return rgb;
}

function render(svg, width, height) {
  const options = {
    fitTo: { mode: 'width', value: width },
    background: '#ffffff',
    font: { loadSystemFonts: false },
  };
  const drawn = new Resvg(svg, options).render();
  if (drawn.width === width && drawn.height === height) return drawn.pixels;
  throw new Error(`the SVG renders at ${drawn.width} × ${drawn.height}, not ${width} × ${height}`);
}

function judge([svgFile, rgbaFile, width, height]) {
  const size = [Number(width), Number(height)];
  const drawn = overWhite(render(readFileSync(svgFile, 'utf8'), ...size));
  const picture = overWhite(readFileSync(rgbaFile));
  return { psnr: psnr(picture, drawn), ssim: ssim(picture, drawn, ...size) };
}

for await (const line of createInterface({ input: process.stdin })) {
  let answer;
  try {
    answer = judge(line.split('\t'));
  } catch (error) {
    answer = { error: String(error?.message ?? error) };
  }
  process.stdout.write(`${JSON.stringify(answer)}\n`);
}
