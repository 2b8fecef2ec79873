// vectortracer: the black on white half of vtracer in WebAssembly. It is made for bundlers, so its module is put together here.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { DEFAULTS, radians } from './vtracer-defaults.mjs';

/** What the package takes a picture in; Node.js has none. */
class ImageData {
  constructor(data, width, height) {
    Object.assign(this, { data, width, height });
  }
}

const OPTIONS = {
  ...DEFAULTS,
  debug: false,
  mode: 'spline',
  filterSpeckle: DEFAULTS.filterSpeckle ** 2,
  cornerThreshold: radians(DEFAULTS.cornerThreshold),
  spliceThreshold: radians(DEFAULTS.spliceThreshold),
};

export async function load(folder) {
  globalThis.ImageData ??= ImageData;
  const entry = createRequire(`${folder}/package.json`).resolve('vectortracer');
  const file = (name) => new URL(name, pathToFileURL(entry));
  const glue = await import(file('vectortracer_bg.js').href);
  const bytes = readFileSync(file('vectortracer_bg.wasm'));
  const { instance } = await WebAssembly.instantiate(bytes, { './vectortracer_bg.js': glue });
  glue.__wbg_set_wasm(instance.exports);
  instance.exports.__wbindgen_start?.();
  return { trace: (picture) => trace(glue.BinaryImageConverter, picture) };
}

function trace(Converter, { width, height, rgba }) {
  const pixels = new ImageData(
    new Uint8ClampedArray(rgba.buffer, rgba.byteOffset, rgba.length),
    width,
    height,
  );
  const drawing = { invert: false, attributes: ` width="${width}" height="${height}"`, scale: 1 };
  const converter = new Converter(pixels, OPTIONS, drawing);
  converter.init();
  while (!converter.tick());
  const svg = converter.getResult();
  converter.free();
  return svg;
}
