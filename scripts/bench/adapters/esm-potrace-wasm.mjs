// esm-potrace-wasm: potrace in WebAssembly, with potrace's own defaults.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const OPTIONS = {
  turdsize: 2,
  turnpolicy: 4,
  alphamax: 1,
  opticurve: 1,
  opttolerance: 0.2,
  pathonly: false,
  extractcolors: false,
};

export async function load(folder) {
  const require = createRequire(`${folder}/package.json`);
  const dist = join(dirname(require.resolve('esm-potrace-wasm/package.json')), 'dist');
  // The module expects names that only CommonJS has, and a class that only browsers have.
  Object.assign(globalThis, { require, __dirname: dist });
  globalThis.ImageData ??= class ImageData {};
  const { init, potrace } = await import(pathToFileURL(join(dist, 'index.js')).href);
  await init();
  return { trace: ({ width, height, rgba }) => potrace({ width, height, data: rgba }, OPTIONS) };
}
