// Generated from the engine's option table by `npm run build`. Do not edit.

/** The options of a trace. All are optional. */
export interface Options {
  /** color: shapes in the image's colors. binary: pixels with luma below 128 over white become black shapes. Default: color. */
  colorMode?: 'color' | 'binary';
  /** Patches smaller than this in both width and height merge into their surroundings; 0 keeps all. 0 to 128 px. Default: 4. */
  filterSpeckle?: number;
  /** Significant bits per channel when comparing colors, rounded to whole bits. Fills keep the true colors. 1 to 8 bits. Default: 6. */
  colorPrecision?: number;
  /** Smallest color difference between two layers: the sum of the absolute differences in R, G and B, in 8-bit levels. 0 to 255 levels. Default: 16. */
  layerDifference?: number;
  /** A turn of at least this angle stays a sharp corner. 0 to 180 degrees. Default: 60. */
  cornerThreshold?: number;
  /** Bumps along an outline that are shorter than this are smoothed away. Sides of shapes and whole shapes are kept. 0 to 100 px. Default: 4. */
  lengthThreshold?: number;
  /** A smooth curve is split only after turning by this angle, unless one segment would exceed the fit tolerance. 0 to 180 degrees. Default: 45. */
  spliceThreshold?: number;
  /** spline: curves and lines. polygon: straight segments. none: exact pixel outlines. Default: spline. */
  mode?: 'spline' | 'polygon' | 'none';
  /** Smooth shading becomes linear and radial gradients, where these are nearer to the image or shorter than layers. Without effect in colorMode binary and mode none. Default: false. */
  gradients?: boolean;
}

/** The name, type, range, default and meaning of an option. */
export type OptionSpec =
  | { name: string; type: 'choice'; choices: readonly string[]; default: string; meaning: string }
  | { name: string; type: 'number'; min: number; max: number; default: number; unit: string; meaning: string }
  | { name: string; type: 'flag'; default: boolean; meaning: string };

/** All options, in the order of the documentation. */
export const optionTable: readonly OptionSpec[] = [
  {
    name: 'colorMode',
    type: 'choice',
    choices: ['color', 'binary'],
    default: 'color',
    meaning:
      "color: shapes in the image's colors. binary: pixels with luma below 128 over white become black shapes.",
  },
  {
    name: 'filterSpeckle',
    type: 'number',
    min: 0,
    max: 128,
    default: 4,
    unit: 'px',
    meaning: 'Patches smaller than this in both width and height merge into their surroundings; 0 keeps all.',
  },
  {
    name: 'colorPrecision',
    type: 'number',
    min: 1,
    max: 8,
    default: 6,
    unit: 'bits',
    meaning:
      'Significant bits per channel when comparing colors, rounded to whole bits. Fills keep the true colors.',
  },
  {
    name: 'layerDifference',
    type: 'number',
    min: 0,
    max: 255,
    default: 16,
    unit: 'levels',
    meaning:
      'Smallest color difference between two layers: the sum of the absolute differences in R, G and B, in 8-bit levels.',
  },
  {
    name: 'cornerThreshold',
    type: 'number',
    min: 0,
    max: 180,
    default: 60,
    unit: 'degrees',
    meaning: 'A turn of at least this angle stays a sharp corner.',
  },
  {
    name: 'lengthThreshold',
    type: 'number',
    min: 0,
    max: 100,
    default: 4,
    unit: 'px',
    meaning:
      'Bumps along an outline that are shorter than this are smoothed away. Sides of shapes and whole shapes are kept.',
  },
  {
    name: 'spliceThreshold',
    type: 'number',
    min: 0,
    max: 180,
    default: 45,
    unit: 'degrees',
    meaning:
      'A smooth curve is split only after turning by this angle, unless one segment would exceed the fit tolerance.',
  },
  {
    name: 'mode',
    type: 'choice',
    choices: ['spline', 'polygon', 'none'],
    default: 'spline',
    meaning: 'spline: curves and lines. polygon: straight segments. none: exact pixel outlines.',
  },
  {
    name: 'gradients',
    type: 'flag',
    default: false,
    meaning:
      'Smooth shading becomes linear and radial gradients, where these are nearer to the image or shorter than layers. Without effect in colorMode binary and mode none.',
  },
];
