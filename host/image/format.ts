import { isWebpAnimation } from './reduce-file.mjs';

export type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'bmp';

/** In pixels. */
export interface Size {
  width: number;
  height: number;
}

/** The largest image that is accepted. */
export interface ImageLimits {
  maxPixels: number;
  maxSidePx: number;
}

/** A decoded image: 8-bit sRGB, RGBA with straight alpha, `width × height × 4` bytes. */
export interface Pixels extends Size {
  data: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);
/** A BMP's info header starts with its own length. Checking it keeps texts that start with "BM" out. */
const isBmpHeaderLength = (length: number) =>
  length === BMP_CORE_HEADER_LENGTH ||
  (length >= BMP_OS2_SHORTEST && length <= BMP_OS2_LONGEST) ||
  BMP_WINDOWS_LATER_LENGTHS.includes(length);
const BMP_CORE_HEADER_LENGTH = 12;
/** A writer for OS/2 2.x may leave out any number of fields at the end. Earlier lengths of Windows, 40 to 56, lie between. */
const BMP_OS2_SHORTEST = 16;
const BMP_OS2_LONGEST = 64;
const BMP_WINDOWS_LATER_LENGTHS = [108, 124];

/** The format by the file's signature, as neither its name nor its declared type can be trusted. */
export function detectFormat(bytes: Buffer): Format | undefined {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'png';
  if (bytes.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return 'jpeg';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif';
  if (ascii(0, 2) === 'BM' && bytes.length >= 18 && isBmpHeaderLength(bytes.readUInt32LE(14))) return 'bmp';
  return undefined;
}

/**
 * Width and height of formats that store them at a fixed offset, so that limits are checked before a decoder runs.
 * Undefined for JPEG, for a WebP without animation, and for a file that is too short.
 */
export function sizeInHeader(bytes: Buffer, format: Format): Size | undefined {
  if (format === 'png' && bytes.length >= 24)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (format === 'gif' && bytes.length >= 10)
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (format === 'bmp' && bytes.length >= 26) return bmpSize(bytes);
  if (format === 'webp' && bytes.length >= 30 && isWebpAnimation(bytes))
    return { width: 1 + bytes.readUIntLE(24, 3), height: 1 + bytes.readUIntLE(27, 3) };
  return undefined;
}

function bmpSize(bytes: Buffer): Size {
  if (bytes.readUInt32LE(14) === BMP_CORE_HEADER_LENGTH) {
    return { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) };
  }
  // A negative height means that rows are stored from top to bottom.
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}
