// vtracer-wasm takes vtracer's internal units: radians, an area for the speckle, and the number of bits to drop.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';

/** vtracer's defaults: its packages require every value. */
export const DEFAULTS = {
  filterSpeckle: 4,
  colorPrecision: 6,
  layerDifference: 16,
  cornerThreshold: 60,
  lengthThreshold: 4,
  spliceThreshold: 45,
  maxIterations: 10,
  pathPrecision: 2,
};

export const radians = (degrees) => (degrees * Math.PI) / 180;

const OPTIONS = {
  ...DEFAULTS,
  mode: 'spline',
  hierarchical: 'stacked',
  filterSpeckle: DEFAULTS.filterSpeckle ** 2,
  colorPrecision: 8 - DEFAULTS.colorPrecision,
  cornerThreshold: radians(DEFAULTS.cornerThreshold),
  spliceThreshold: radians(DEFAULTS.spliceThreshold),
};

export async function load(folder) {
  const entry = createRequire(`${folder}/package.json`).resolve('vtracer-wasm');
  const { initSync, to_svg } = await import(pathToFileURL(entry).href);
  initSync({ module: readFileSync(entry.replace(/\.js$/, '.wasm')) });
  return {
    trace: ({ mode, width, height, rgba }) =>
      to_svg(rgba, width, height, { ...OPTIONS, binary: mode === 'binary' }),
  };
}
