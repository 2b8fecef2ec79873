import type { ImageLike, Options } from 'tracesmith-wasm';

type Paint = (x: number, y: number) => readonly [number, number, number, number];

function draw(width: number, height: number, paint: Paint): ImageLike {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(paint(x, y), (y * width + x) * 4);
  }
  return { width, height, data };
}

const WHITE = [255, 255, 255, 255] as const;
const BLUE = [29, 161, 242, 255] as const;

/** The share of a pixel that a disc around 32, 32 covers. */
const discCoverage = (x: number, y: number, radius: number) =>
  Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x + 0.5 - 32, y + 0.5 - 32)));

function blueOnWhite(coverage: number): readonly [number, number, number, number] {
  const channel = (i: 0 | 1 | 2) => Math.round(WHITE[i] + (BLUE[i] - WHITE[i]) * coverage);
  return [channel(0), channel(1), channel(2), 255];
}

/** Noise of a linear congruential generator, the same on every machine. */
function noise(): Paint {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
  return () => [next(), next(), next(), next()];
}

/** Opaque noise: the most work that an image of its size can be. */
export function noiseImage(width: number, height: number): ImageLike {
  const nextNoise = noise();
  return draw(width, height, (x, y) => {
    const [r, g, b] = nextNoise(x, y);
    return [r, g, b, 255];
  });
}

/** Discs on a gradient, with noise: work for every stage. */
export function scene(width: number, height: number): ImageLike {
  const nextNoise = noise();
  return draw(width, height, (x, y) => {
    const coverage = discCoverage((x % 48) + 8, (y % 48) + 8, 18.5);
    const mixed = [x % 256, y % 256, 255 - (x % 256)].map(
      (background, i) => background + (200 - i * 70 - background) * coverage,
    );
    const [r = 0, g = 0, b = 0] = mixed.map((value, i) => (value & 0xf0) + ((nextNoise(x, y)[i] ?? 0) >> 4));
    return [r, g, b, 255];
  });
}

/** A ramp, a disc that is lighter in the middle, and a flat bar: two gradients beside a flat color. */
export const shaded: ImageLike = draw(96, 72, (x, y) => {
  const distance = Math.hypot(x - 44, y - 30) / 26;
  if (y >= 60) return [40, 40, 60, 255];
  if (distance < 1) return [255, 240 - Math.round(150 * distance), 90, 255];
  return [30 + x, 90, 220 - 2 * x, 255];
});

/** Small images of different kinds: flat, anti-aliased, translucent, smooth, noisy, and one of a single pixel. */
export const images: Record<string, ImageLike> = {
  pixel: draw(1, 1, () => BLUE),
  column: draw(1, 40, (_x, y) => (y < 20 ? BLUE : WHITE)),
  blank: draw(16, 16, () => [0, 0, 0, 0]),
  blocks: draw(48, 32, (x, y) => [(x >> 3) * 40, (y >> 3) * 60, 90, 255]),
  disc: draw(64, 64, (x, y) => blueOnWhite(discCoverage(x, y, 22.3))),
  ring: draw(64, 64, (x, y) => [
    29,
    161,
    242,
    Math.round(255 * (discCoverage(x, y, 25) - discCoverage(x, y, 14))),
  ]),
  diagonal: draw(64, 48, (x, y) => (2 * x + 3 * y < 130 ? BLUE : [20, 20, 20, 255])),
  ramp: draw(80, 40, (x, y) => [x * 3, y * 6, 255 - x * 3, 255]),
  shaded,
  noise: draw(40, 40, noise()),
};

export const optionSets: Options[] = [
  {},
  { colorMode: 'binary' },
  { mode: 'polygon' },
  { mode: 'none' },
  { filterSpeckle: 0, colorPrecision: 8, layerDifference: 0 },
  { cornerThreshold: 180, lengthThreshold: 12.5, spliceThreshold: 0 },
  { gradients: true },
  { gradients: true, mode: 'polygon' },
];
