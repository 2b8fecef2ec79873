import { TracesmithError } from './shared/errors.ts';
/** What is wrong with a file, as the end of a sentence. */
type Problem = 'is truncated' | 'is corrupt' | 'has an unsupported format' | 'has an empty side';
export declare function invalid(problem: Problem): TracesmithError;
/** The fields of a BMP's two headers; those beyond the end of a short header are 0. */
export interface Header {
    infoBytes: number;
    width: number;
    height: number;
    isTopDown: boolean;
    planes: number;
    /** Per pixel. */
    bits: number;
    compression: number;
    /** Colors of the palette; 0 means all that its indices can name. */
    colors: number;
    pixelsStart: number;
}
export declare function readHeader(file: DataView): Header;
/** Whether the pixels are runs of indices. Throws if the format is none of those that can be decoded. */
export declare function hasRuns({ infoBytes, planes, bits, compression }: Header): boolean;
/** The colors that indices can name, as RGBA; those that the file lacks are black. */
export declare function readPalette(file: DataView, { infoBytes, bits, colors }: Header): Uint8Array<ArrayBuffer>;
/** The masks of red, green, blue and alpha: which bits of a pixel are the channel's. */
export declare function readMasks(file: DataView, { infoBytes, bits, compression }: Header): number[];
export {};
