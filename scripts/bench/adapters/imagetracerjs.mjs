// imagetracerjs with its own defaults; for black on white, a palette of two colors.
import { createRequire } from 'node:module';

const GREY = (level) => ({ r: level, g: level, b: level, a: 255 });
const OPTIONS = { color: {}, binary: { colorsampling: 0, pal: [GREY(0), GREY(255)], colorquantcycles: 1 } };

export function load(folder) {
  const tracer = createRequire(`${folder}/package.json`)('imagetracerjs');
  return {
    trace({ mode, width, height, rgba }) {
      // It writes to its input, hence the copy.
      return tracer.imagedataToSVG(
        { width, height, data: new Uint8ClampedArray(rgba) },
        { ...OPTIONS[mode] },
      );
    },
  };
}
