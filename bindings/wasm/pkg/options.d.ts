/** Everything a caller may tune; every key is optional. */
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
/** One option: its name, type, range, default and meaning. */
export type OptionSpec = {
    name: string;
    type: 'choice';
    choices: readonly string[];
    default: string;
    meaning: string;
} | {
    name: string;
    type: 'number';
    min: number;
    max: number;
    default: number;
    unit: string;
    meaning: string;
};
/** Every option there is, in the order of the documentation. */
export declare const optionTable: readonly OptionSpec[];
