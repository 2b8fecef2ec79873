import { type ImageLike } from './shared/image.ts';
/** The largest BMP to decode. */
export interface BmpLimits {
    /** Width × height. */
    maxPixels: number;
    /** Longest side, in pixels. */
    maxSide: number;
}
/** Decodes a BMP file. Its size is checked against `limits` before memory is allocated for pixels. */
export declare function decodeBmp(bytes: Uint8Array, limits: BmpLimits): ImageLike & {
    data: Uint8Array;
};
