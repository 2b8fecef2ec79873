// How similar two opaque RGBA pictures of the same size are.
import { ssim } from 'ssim.js';

/** The value for equal pictures, and the upper limit. */
const MOST_DB = 99;

/** Peak signal-to-noise ratio over R, G and B, in dB. */
export function psnr(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return Math.min(MOST_DB, 10 * Math.log10((255 ** 2 * a.length * 0.75) / sum));
}

/** Pixels on the side of a window. */
const SIDE = 7;

/** Structural similarity of the luma, the mean over all windows; undefined for pictures smaller than a window. */
export function similarity(a, b, width, height) {
  if (width < SIDE || height < SIDE) return undefined;
  const [first, second] = [a, b].map((data) => ({ data, width, height }));
  // Of the package's methods, this one has uniform windows.
  return ssim(first, second, { ssim: 'weber', windowSize: SIDE, downsample: false }).mssim;
}

/** Straight alpha over white. */
export function overWhite(rgba) {
  return rgba.map((value, i) => {
    const alpha = rgba[i | 3];
    return i % 4 === 3 ? 255 : Math.round((value * alpha + 255 * (255 - alpha)) / 255);
  });
}
