export type Format = 'png' | 'jpeg' | 'webp' | 'gif' | 'bmp';

export interface Size {
  width: number;
  height: number;
}

export interface ImageLimits {
  maxPixels: number;
  maxSidePx: number;
}

/** RGBA, 8 bits, straight alpha, sRGB. */
export interface Pixels extends Size {
  data: Uint8Array;
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const JPEG_SIGNATURE = Buffer.from([0xff, 0xd8, 0xff]);
/** A BMP's info header begins with its own length; "BM" alone would make a BMP of many a text. */
const BMP_HEADER_LENGTHS = [12, 16, 40, 52, 56, 64, 108, 124];
const BMP_CORE_HEADER_LENGTH = 12;

/** Tells the format by content: neither the name nor the declared type of a file can be trusted. */
export function sniff(bytes: Buffer): Format | undefined {
  const ascii = (from: number, to: number) => bytes.toString('latin1', from, to);
  if (bytes.subarray(0, PNG_SIGNATURE.length).equals(PNG_SIGNATURE)) return 'png';
  if (bytes.subarray(0, JPEG_SIGNATURE.length).equals(JPEG_SIGNATURE)) return 'jpeg';
  if (ascii(0, 4) === 'RIFF' && ascii(8, 12) === 'WEBP') return 'webp';
  if (ascii(0, 6) === 'GIF87a' || ascii(0, 6) === 'GIF89a') return 'gif';
  if (ascii(0, 2) === 'BM' && bytes.length >= 18 && BMP_HEADER_LENGTHS.includes(bytes.readUInt32LE(14)))
    return 'bmp';
  return undefined;
}

/**
 * Width and height where the format has them at a fixed place, so that limits hold before any decoder sees the file;
 * undefined where it has not, or where the file ends before them.
 */
export function sizeInHeader(bytes: Buffer, format: Format): Size | undefined {
  if (format === 'png' && bytes.length >= 24)
    return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
  if (format === 'gif' && bytes.length >= 10)
    return { width: bytes.readUInt16LE(6), height: bytes.readUInt16LE(8) };
  if (format === 'bmp' && bytes.length >= 26) return bmpSize(bytes);
  return undefined;
}

function bmpSize(bytes: Buffer): Size {
  if (bytes.readUInt32LE(14) === BMP_CORE_HEADER_LENGTH) {
    return { width: bytes.readUInt16LE(18), height: bytes.readUInt16LE(20) };
  }
  // A negative height means rows from top to bottom.
  return { width: bytes.readInt32LE(18), height: Math.abs(bytes.readInt32LE(22)) };
}
