import { crc32, deflateSync } from 'node:zlib';

export const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');
export const GRAY = 0;
export const RGB = 2;
export const PALETTE = 3;
export const GRAY_ALPHA = 4;
export const RGBA = 6;

export function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value >>> 0);
  return bytes;
}

interface ChunkDamage {
  /** Written instead of the data's length. */
  length?: number;
  /** Combined with the checksum. */
  crcXor?: number;
}

export function chunk(name: string, data: Uint8Array | string = '', damage: ChunkDamage = {}): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), Buffer.from(data)]);
  const crc = crc32(body) ^ (damage.crcXor ?? 0);
  return Buffer.concat([uint32(damage.length ?? body.length - 4), body, uint32(crc)]);
}

export interface Header {
  width: number;
  height: number;
  depth?: number;
  colorType?: number;
  compression?: number;
  filter?: number;
  interlace?: number;
}

export function ihdr({
  width,
  height,
  depth = 8,
  colorType = RGB,
  compression = 0,
  filter = 0,
  interlace = 0,
}: Header): Buffer {
  const rest = Buffer.from([depth, colorType, compression, filter, interlace]);
  return chunk('IHDR', Buffer.concat([uint32(width), uint32(height), rest]));
}

export const iend = chunk('IEND');
export const idat = (rows: Uint8Array) => chunk('IDAT', deflateSync(rows));
export const png = (...chunks: Buffer[]): Buffer => Buffer.concat([PNG_SIGNATURE, ...chunks]);

const CHANNELS = { [GRAY]: 1, [RGB]: 3, [PALETTE]: 1, [GRAY_ALPHA]: 2, [RGBA]: 4 } as Record<number, number>;

/** Rows of pixel data with their filter bytes. Values repeat, so that palettes of 16 colors have all of them. */
export function rows({ width, height, depth = 8, colorType = RGB }: Header): Buffer {
  const rowBytes = Math.ceil((width * (CHANNELS[colorType] ?? 1) * depth) / 8);
  const data = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y++)
    for (let i = 1; i <= rowBytes; i++)
      data[y * (rowBytes + 1) + i] = colorType === PALETTE ? (i >> 2) & 1 : i * 37 + y * 11;
  return data;
}
