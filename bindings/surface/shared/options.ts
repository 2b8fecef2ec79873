// Generated from the engine's option table by `npm run build`. Do not edit.

/** The options of a trace. All are optional. */
export interface Options {
  /** color: shapes in the picture's colors; binary: pixels with luma below 128 over white become black shapes. Default: color. */
  colorMode?: 'color' | 'binary';
  /** A patch smaller than this in width and in height both is absorbed by its surroundings; 0 keeps all. 0 to 128 px. Default: 4. */
  filterSpeckle?: number;
  /** Significant bits per channel when colors are compared, rounded to whole bits; fills are the true colors. 1 to 8 bits. Default: 6. */
  colorPrecision?: number;
  /** Smallest color step between two layers: sum of the absolute differences of R, G and B in 8-bit units. 0 to 255 levels. Default: 16. */
  layerDifference?: number;
  /** A turn of at least this angle is a corner and stays sharp. 0 to 180 degrees. Default: 60. */
  cornerThreshold?: number;
  /** A bump along an outline shorter than this is smoothed away; sides of shapes and whole shapes never are. 0 to 100 px. Default: 4. */
  lengthThreshold?: number;
  /** A smooth outline may begin a new curve only after turning by this angle, unless it would leave the picture. 0 to 180 degrees. Default: 45. */
  spliceThreshold?: number;
  /** spline: curves and lines; polygon: straight segments; none: exact pixel outlines. Default: spline. */
  mode?: 'spline' | 'polygon' | 'none';
}

/** The name, type, range, default and meaning of an option. */
export type OptionSpec =
  | { name: string; type: 'choice'; choices: readonly string[]; default: string; meaning: string }
  | {
      name: string;
      type: 'number';
      min: number;
      max: number;
      default: number;
      unit: string;
      meaning: string;
    };

/** All options, in the order of the documentation. */
export const optionTable: readonly OptionSpec[] = [
  {
    name: 'colorMode',
    type: 'choice',
    choices: ['color', 'binary'],
    default: 'color',
    meaning:
      "color: shapes in the picture's colors; binary: pixels with luma below 128 over white become black shapes.",
  },
  {
    name: 'filterSpeckle',
    type: 'number',
    min: 0,
    max: 128,
    default: 4,
    unit: 'px',
    meaning:
      'A patch smaller than this in width and in height both is absorbed by its surroundings; 0 keeps all.',
  },
  {
    name: 'colorPrecision',
    type: 'number',
    min: 1,
    max: 8,
    default: 6,
    unit: 'bits',
    meaning:
      'Significant bits per channel when colors are compared, rounded to whole bits; fills are the true colors.',
  },
  {
    name: 'layerDifference',
    type: 'number',
    min: 0,
    max: 255,
    default: 16,
    unit: 'levels',
    meaning:
      'Smallest color step between two layers: sum of the absolute differences of R, G and B in 8-bit units.',
  },
  {
    name: 'cornerThreshold',
    type: 'number',
    min: 0,
    max: 180,
    default: 60,
    unit: 'degrees',
    meaning: 'A turn of at least this angle is a corner and stays sharp.',
  },
  {
    name: 'lengthThreshold',
    type: 'number',
    min: 0,
    max: 100,
    default: 4,
    unit: 'px',
    meaning:
      'A bump along an outline shorter than this is smoothed away; sides of shapes and whole shapes never are.',
  },
  {
    name: 'spliceThreshold',
    type: 'number',
    min: 0,
    max: 180,
    default: 45,
    unit: 'degrees',
    meaning:
      'A smooth outline may begin a new curve only after turning by this angle, unless it would leave the picture.',
  },
  {
    name: 'mode',
    type: 'choice',
    choices: ['spline', 'polygon', 'none'],
    default: 'spline',
    meaning: 'spline: curves and lines; polygon: straight segments; none: exact pixel outlines.',
  },
];
