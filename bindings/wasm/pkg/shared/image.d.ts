/**
 * An image: 8-bit RGBA, straight alpha, sRGB, rows from top to bottom without padding, `width × height × 4` bytes.
 * A browser's `ImageData` has this form. `data` may be a `Buffer` or a view of part of a larger buffer.
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
/** A view of the bytes of a Uint8Array or Uint8ClampedArray, without a copy; undefined for any other value. */
export declare function bytesOf(value: unknown): Uint8Array | undefined;
/** Reads each property once and checks everything that the engine relies on. */
export declare function checkImage(image: unknown): CheckedImage;
