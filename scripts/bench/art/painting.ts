// Mountains behind a meadow, from formulas: gradients, textures down to the pixel at every size, and sensor grain.
import { randomNumbers } from './random.ts';

/** A value between -1 and 1 that varies smoothly between whole coordinates. */
type Noise = (x: number, y: number) => number;

const LATTICE = 256;

function valueNoise(seed: number): Noise {
  const random = randomNumbers(seed);
  const values = Float32Array.from({ length: LATTICE * LATTICE }, () => random() * 2 - 1);
  const at = (x: number, y: number) => values[(y & (LATTICE - 1)) * LATTICE + (x & (LATTICE - 1))] as number;
  return (x, y) => {
    const [left, top] = [Math.floor(x), Math.floor(y)];
    const [u, v] = [smooth(x - left), smooth(y - top)];
    const upper = at(left, top) * (1 - u) + at(left + 1, top) * u;
    const lower = at(left, top + 1) * (1 - u) + at(left + 1, top + 1) * u;
    return upper * (1 - v) + lower * v;
  };
}

const smooth = (t: number) => t * t * (3 - 2 * t);

/** Sums octaves of noise, each twice as fine and half as strong. */
function fractal(noise: Noise, octaves: number): Noise {
  return (x, y) => {
    let sum = 0;
    for (let octave = 0, scale = 1; octave < octaves; octave++, scale *= 2) {
      sum += noise(x * scale + octave * 17, y * scale + octave * 31) / scale;
    }
    return sum;
  };
}

type Color = readonly [number, number, number];

interface Ridge {
  /** Position and amplitude, as shares of the height. */
  base: number;
  rise: number;
  /** Number of peaks across the picture. */
  peaks: number;
  color: Color;
  /** Amplitude of the texture. */
  texture: number;
}

/** From far to near: nearer ridges are darker and rougher. */
const RIDGES: Ridge[] = [
  { base: 0.42, rise: 0.1, peaks: 3, color: [150, 164, 192], texture: 8 },
  { base: 0.52, rise: 0.1, peaks: 4, color: [112, 128, 158], texture: 16 },
  { base: 0.63, rise: 0.08, peaks: 5, color: [74, 96, 106], texture: 26 },
  { base: 0.78, rise: 0.05, peaks: 3, color: [84, 110, 62], texture: 42 },
];
const GRAIN_LEVELS = 3;

/** RGBA, `side × side`. */
export function painting(side: number): Buffer {
  const noise = valueNoise(7);
  // The finest octave of the widest pattern is two pixels wide.
  const rough = fractal(noise, Math.max(2, Math.round(Math.log2(side)) - 4));
  const random = randomNumbers(side);
  const rgba = Buffer.alloc(side * side * 4, 255);
  for (let x = 0; x < side; x++) {
    const heights = RIDGES.map(
      (ridge, i) => ridge.base - ridge.rise * rough((x / side) * ridge.peaks, i * 40 + 0.5),
    );
    for (let y = 0; y < side; y++) {
      const color = colorAt(x / side, y / side, heights, rough);
      // The sum of two uniform numbers is close enough to a normal distribution.
      const grain = (random() + random() - 1) * 2 * GRAIN_LEVELS;
      for (let i = 0; i < 3; i++) rgba[(y * side + x) * 4 + i] = clamp((color[i] as number) + grain);
    }
  }
  return rgba;
}

function colorAt(u: number, v: number, heights: number[], rough: Noise): Color {
  const near = heights.findLastIndex((height) => v > height);
  const ridge = RIDGES[near];
  if (ridge === undefined) return sky(u, v, rough);
  const texture = rough(u * 14, v * 22) * ridge.texture;
  const depth = (v - (heights[near] as number)) * 60;
  return [
    ridge.color[0] + texture - depth,
    ridge.color[1] + texture - depth,
    ridge.color[2] + texture * 0.7 - depth,
  ];
}

function sky(u: number, v: number, rough: Noise): Color {
  const sun = 90 * Math.exp(-((u - 0.7) ** 2 + (v - 0.3) ** 2) * 30);
  const cloud = Math.max(0, rough(u * 3, v * 7)) * 50;
  return [96 + 170 * v + sun + cloud, 140 + 110 * v + 0.7 * sun + cloud, 205 - 20 * v + 0.2 * sun + cloud];
}

const clamp = (value: number) => Math.max(0, Math.min(255, Math.round(value)));
