// @neplex/vectorizer: vtracer as a native Node.js addon, with vtracer's defaults, because it has none of its own.
import { createRequire } from 'node:module';
import { DEFAULTS } from './vtracer-wasm.mjs';

const COLOR_MODES = { color: 0, binary: 1 };
const STACKED = 0;
const SPLINE = 2;

export function load(folder) {
  const { vectorizeRawSync } = createRequire(`${folder}/package.json`)('@neplex/vectorizer');
  return {
    trace({ mode, width, height, rgba }) {
      const pixels = Buffer.from(rgba.buffer, rgba.byteOffset, rgba.length);
      const options = { ...DEFAULTS, colorMode: COLOR_MODES[mode], hierarchical: STACKED, mode: SPLINE };
      return vectorizeRawSync(pixels, { width, height }, options);
    },
  };
}
