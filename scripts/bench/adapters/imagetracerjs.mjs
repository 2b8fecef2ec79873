// imagetracerjs, its own defaults; black on white is a palette of the two.
import { createRequire } from 'node:module';

const GREY = (level) => ({ r: level, g: level, b: level, a: 255 });
const OPTIONS = { color: {}, binary: { colorsampling: 0, pal: [GREY(0), GREY(255)], colorquantcycles: 1 } };

export function load(folder) {
  const tracer = createRequire(`${folder}/package.json`)('imagetracerjs');
  return {
    trace({ mode, width, height, rgba }) {
      // A copy, for it writes into its input.
      return tracer.imagedataToSVG(
        { width, height, data: new Uint8ClampedArray(rgba) },
        { ...OPTIONS[mode] },
      );
    },
  };
}
