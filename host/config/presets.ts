import type { Options } from 'tracesmith-wasm';

export interface Preset {
  name: string;
  /** The images it suits. */
  description: string;
  options: Options;
}

/** Named sets of options. An option that a preset does not name keeps its default. */
export const PRESETS: readonly Preset[] = [
  { name: 'standard', description: 'Logos, icons and illustrations.', options: {} },
  {
    name: 'detailed',
    description: 'Illustrations with small or faint details.',
    options: { filterSpeckle: 1, colorPrecision: 8, layerDifference: 8, lengthThreshold: 2 },
  },
  {
    name: 'shaded',
    description: 'Illustrations with smooth shading, as gradients.',
    options: { gradients: true },
  },
  {
    name: 'photo',
    description: 'Photographs, simplified to fewer and larger shapes.',
    options: { filterSpeckle: 10, layerDifference: 40 },
  },
  {
    name: 'poster',
    description: 'Few colors and large shapes.',
    options: { filterSpeckle: 20, layerDifference: 96, lengthThreshold: 8 },
  },
  {
    name: 'line-art',
    description: 'Scans, ink and signatures, as black shapes.',
    options: { colorMode: 'binary' },
  },
  {
    name: 'low-poly',
    description: 'Straight edges only.',
    options: { mode: 'polygon', filterSpeckle: 12, layerDifference: 40, lengthThreshold: 12 },
  },
  {
    name: 'pixel-art',
    description: 'Exact pixel outlines.',
    options: { mode: 'none', filterSpeckle: 0, colorPrecision: 8, layerDifference: 0 },
  },
];
