/**
 * A picture: 8-bit RGBA, straight alpha, sRGB, rows top to bottom without padding, `width × height × 4` bytes.
 * A browser's `ImageData` is one as it is; so is a `Buffer`, or a view of part of a larger buffer.
 */
export interface ImageLike {
    readonly width: number;
    readonly height: number;
    readonly data: Uint8Array | Uint8ClampedArray;
}
export interface CheckedImage {
    width: number;
    height: number;
    rgba: Uint8Array;
}
/** The bytes of a Uint8Array or Uint8ClampedArray, not copied; undefined for anything else. */
export declare function bytesOf(value: unknown): Uint8Array | undefined;
/** Reads each property once and checks all that the engine relies on. */
export declare function checkImage(image: unknown): CheckedImage;
