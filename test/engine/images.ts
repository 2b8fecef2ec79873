import type { ImageLike, Options } from 'tracesmith-wasm';

type Paint = (x: number, y: number) => readonly [number, number, number, number];

function picture(width: number, height: number, paint: Paint): ImageLike {
  const data = new Uint8Array(width * height * 4);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data.set(paint(x, y), (y * width + x) * 4);
  }
  return { width, height, data };
}

const WHITE = [255, 255, 255, 255] as const;
const BLUE = [29, 161, 242, 255] as const;

/** How much of a pixel lies in a disc: 0 to 1, anti-aliased. */
const disc = (x: number, y: number, radius: number) =>
  Math.min(1, Math.max(0, radius + 0.5 - Math.hypot(x + 0.5 - 32, y + 0.5 - 32)));

function mixed(coverage: number): readonly [number, number, number, number] {
  const channel = (i: 0 | 1 | 2) => Math.round(WHITE[i] + (BLUE[i] - WHITE[i]) * coverage);
  return [channel(0), channel(1), channel(2), 255];
}

/** A linear congruential generator: the same noise on every machine. */
function noise(): Paint {
  let state = 1;
  const next = () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state >>> 24;
  };
  return () => [next(), next(), next(), next()];
}

/** Opaque noise, as hard to trace as a picture of its size can be. */
export function grains(width: number, height: number): ImageLike {
  const grain = noise();
  return picture(width, height, (x, y) => {
    const [r, g, b] = grain(x, y);
    return [r, g, b, 255];
  });
}

/** Discs on a ramp, with grain: every stage has much to do. */
export function scene(width: number, height: number): ImageLike {
  const grain = noise();
  return picture(width, height, (x, y) => {
    const coverage = disc((x % 48) + 8, (y % 48) + 8, 18.5);
    const mixed = [x % 256, y % 256, 255 - (x % 256)].map(
      (ground, i) => ground + (200 - i * 70 - ground) * coverage,
    );
    const [r = 0, g = 0, b = 0] = mixed.map((value, i) => (value & 0xf0) + ((grain(x, y)[i] ?? 0) >> 4));
    return [r, g, b, 255];
  });
}

/** Small pictures that differ in kind: flat, anti-aliased, translucent, smooth, noisy, and the smallest there are. */
export const pictures: Record<string, ImageLike> = {
  pixel: picture(1, 1, () => BLUE),
  column: picture(1, 40, (_x, y) => (y < 20 ? BLUE : WHITE)),
  blank: picture(16, 16, () => [0, 0, 0, 0]),
  blocks: picture(48, 32, (x, y) => [(x >> 3) * 40, (y >> 3) * 60, 90, 255]),
  disc: picture(64, 64, (x, y) => mixed(disc(x, y, 22.3))),
  ring: picture(64, 64, (x, y) => [29, 161, 242, Math.round(255 * (disc(x, y, 25) - disc(x, y, 14)))]),
  diagonal: picture(64, 48, (x, y) => (2 * x + 3 * y < 130 ? BLUE : [20, 20, 20, 255])),
  ramp: picture(80, 40, (x, y) => [x * 3, y * 6, 255 - x * 3, 255]),
  noise: picture(40, 40, noise()),
};

export const optionSets: Options[] = [
  {},
  { colorMode: 'binary' },
  { mode: 'polygon' },
  { mode: 'none' },
  { filterSpeckle: 0, colorPrecision: 8, layerDifference: 0 },
  { cornerThreshold: 180, lengthThreshold: 12.5, spliceThreshold: 0 },
];
