import type { Options } from 'tracesmith-wasm';

export interface Preset {
  name: string;
  /** For what pictures. */
  meaning: string;
  options: Options;
}

/** Options that go well together. Every option that is not named has its default. */
export const PRESETS: readonly Preset[] = [
  { name: 'standard', meaning: 'Logos, icons and drawings.', options: {} },
  {
    name: 'detailed',
    meaning: 'Drawings with small or faint parts that matter.',
    options: { filterSpeckle: 1, colorPrecision: 8, layerDifference: 8, lengthThreshold: 2 },
  },
  {
    name: 'photo',
    meaning: 'Photographs, with fewer and larger patches.',
    options: { filterSpeckle: 10, layerDifference: 40 },
  },
  {
    name: 'poster',
    meaning: 'Few colors and large shapes.',
    options: { filterSpeckle: 20, layerDifference: 96, lengthThreshold: 8 },
  },
  { name: 'line-art', meaning: 'Ink, scans and signatures: black shapes.', options: { colorMode: 'binary' } },
  {
    name: 'low-poly',
    meaning: 'Straight lines only.',
    options: { mode: 'polygon', filterSpeckle: 12, layerDifference: 40, lengthThreshold: 12 },
  },
  {
    name: 'pixel-art',
    meaning: 'Every pixel as it is.',
    options: { mode: 'none', filterSpeckle: 0, colorPrecision: 8, layerDifference: 0 },
  },
];
