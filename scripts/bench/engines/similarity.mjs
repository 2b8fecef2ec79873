// The similarity of two RGB pictures of the same size, three bytes per pixel.

/** The value for equal pictures, and the upper limit. */
const MOST_DB = 99;

/** Peak signal-to-noise ratio over all channels, in dB. */
export function psnr(a, b) {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] - b[i]) ** 2;
  return sum === 0 ? MOST_DB : Math.min(MOST_DB, 10 * Math.log10((255 ** 2 * a.length) / sum));
}

const SIDE = 7;
const COUNT = SIDE * SIDE;
/** Converts sums of products to sample covariances. */
const SAMPLE = 1 / (COUNT * (COUNT - 1));
const C1 = (0.01 * 255) ** 2;
const C2 = (0.03 * 255) ** 2;

/**
 * Structural similarity of the luma, the mean over all windows of 7 × 7 pixels: Z. Wang et al., "Image Quality Assessment:
 * From Error Visibility to Structural Similarity", 2004, with uniform windows and sample covariances. It is undefined for
 * pictures smaller than a window.
 */
export function ssim(a, b, width, height) {
  if (width < SIDE || height < SIDE) return undefined;
  const lumas = [luma(a), luma(b)];
  // For each column, the sums of u, v, uu, vv and uv over the last 7 rows.
  const columns = Array.from({ length: 5 }, () => new Float64Array(width));
  let total = 0;
  for (let y = 0; y < height; y++) {
    addRow(columns, lumas, y * width, 1);
    if (y >= SIDE) addRow(columns, lumas, (y - SIDE) * width, -1);
    if (y >= SIDE - 1) total += rowOfWindows(columns, width);
  }
  return total / ((width - SIDE + 1) * (height - SIDE + 1));
}

function luma(rgb) {
  const values = new Float32Array(rgb.length / 3);
  for (let i = 0, j = 0; i < values.length; i++, j += 3) {
    values[i] = 0.299 * rgb[j] + 0.587 * rgb[j + 1] + 0.114 * rgb[j + 2];
  }
  return values;
}

function addRow([su, sv, suu, svv, suv], [u, v], from, sign) {
  for (let x = 0; x < su.length; x++) {
    const [p, q] = [u[from + x], v[from + x]];
    su[x] += sign * p;
    sv[x] += sign * q;
    suu[x] += sign * p * p;
    svv[x] += sign * q * q;
    suv[x] += sign * p * q;
  }
}

/** The sum of the similarities of all windows that end in the last row added. */
function rowOfWindows(columns, width) {
  const sums = [0, 0, 0, 0, 0];
  let total = 0;
  for (let x = 0; x < width; x++) {
    for (let i = 0; i < 5; i++) sums[i] += columns[i][x] - (x >= SIDE ? columns[i][x - SIDE] : 0);
    if (x >= SIDE - 1) total += similarity(sums);
  }
  return total;
}

function similarity([su, sv, suu, svv, suv]) {
  const products = (su * sv) / COUNT ** 2;
  const squares = (su * su + sv * sv) / COUNT ** 2;
  const covariance = (COUNT * suv - su * sv) * SAMPLE;
  const variances = (COUNT * (suu + svv) - su * su - sv * sv) * SAMPLE;
  return ((2 * products + C1) * (2 * covariance + C2)) / ((squares + C1) * (variances + C2));
}
