// PNG files of all kinds, the same in every run.
import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import {
  chunk,
  GRAY,
  GRAY_ALPHA,
  iend,
  ihdr,
  PALETTE,
  PNG_SIGNATURE,
  png,
  RGB,
  RGBA,
  uint32,
} from '../attacks/support/png.ts';
import { picture } from '../http/service.ts';

/** Whole numbers from 0 to `below`, exclusive. */
export type Pick = (below: number) => number;

export function seeded(seed: number): Pick {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const DEPTHS = {
  [GRAY]: [1, 2, 4, 8, 16],
  [RGB]: [8, 16],
  [PALETTE]: [1, 2, 4, 8],
  [GRAY_ALPHA]: [8, 16],
  [RGBA]: [8, 16],
};
const SAMPLES = { [GRAY]: 1, [RGB]: 3, [PALETTE]: 1, [GRAY_ALPHA]: 2, [RGBA]: 4 };
const COLOR_TYPES = [GRAY, RGB, PALETTE, GRAY_ALPHA, RGBA] as (keyof typeof SAMPLES)[];

/** One in `of`. */
const rarely = (pick: Pick, of: number) => pick(of) === 0;
const oneOf = <T>(pick: Pick, list: readonly T[]) => list[pick(list.length)] as T;
const bytes = (pick: Pick, length: number) => Buffer.from(Array.from({ length }, () => pick(256)));

/** Optional chunks, some of which are invalid. */
function optional(pick: Pick): Buffer[] {
  if (!rarely(pick, 6)) return [];
  const text = (head: string) => Buffer.concat([Buffer.from(head, 'latin1'), bytes(pick, pick(60))]);
  const chunks = [
    () => chunk('gAMA', uint32(pick(200_000))),
    () => chunk('gAMA', bytes(pick, pick(6))),
    () => chunk('cHRM', bytes(pick, oneOf(pick, [32, 31]))),
    () => chunk('sRGB', bytes(pick, pick(3))),
    () => chunk('sBIT', bytes(pick, 1 + pick(4))),
    () => chunk('bKGD', bytes(pick, oneOf(pick, [1, 2, 6]))),
    () => chunk('pHYs', bytes(pick, oneOf(pick, [9, 9, 8]))),
    () => chunk('tIME', bytes(pick, 7)),
    () => chunk('tEXt', text('Comment\0')),
    () => chunk('tEXt', text('')),
    () => chunk('iTXt', text('XML:com.adobe.xmp\0\0\0\0\0')),
    () => chunk('iTXt', text('')),
  ];
  return [oneOf(pick, chunks)(), ...optional(pick)];
}

/** A PNG of any color type, depth, filters and compression; one in ten is not quite valid. */
export function anyPng(pick: Pick): Buffer {
  const colorType = oneOf(pick, COLOR_TYPES);
  const depth = oneOf(pick, DEPTHS[colorType]);
  const [width, height] = [1 + pick(rarely(pick, 5) ? 300 : 40), 1 + pick(40)];
  const interlace = rarely(pick, 20) ? 1 : 0;
  const rowBytes = Math.ceil((width * SAMPLES[colorType] * depth) / 8);
  const isNoise = rarely(pick, 2);
  const rows = Buffer.alloc((rowBytes + 1) * height, 0);
  for (let i = 0; i < rows.length; i++) {
    const isFilter = i % (rowBytes + 1) === 0;
    if (isFilter) rows[i] = colorType === PALETTE ? 0 : pick(5);
    else rows[i] = isNoise ? pick(256) : i * 3;
  }
  const colors = rarely(pick, 4) ? 1 + pick(2 ** Math.min(depth, 8)) : 2 ** Math.min(depth, 8);
  const palette = () => chunk('PLTE', bytes(pick, 3 * colors));
  return png(
    ihdr({ width, height, depth, colorType, interlace }),
    ...optional(pick),
    ...(colorType === PALETTE || rarely(pick, 40) ? [palette()] : []),
    ...optional(pick),
    ...(rarely(pick, 3) ? [transparency(pick, colorType, depth, colors)] : []),
    ...optional(pick),
    ...imageData(pick, rows),
    ...optional(pick),
    iend,
    ...(rarely(pick, 50) ? [bytes(pick, 9)] : []),
  );
}

function transparency(pick: Pick, colorType: number, depth: number, colors: number): Buffer {
  if (rarely(pick, 15)) return chunk('tRNS', bytes(pick, pick(300)));
  if (colorType === PALETTE) return chunk('tRNS', bytes(pick, 1 + pick(colors)));
  const sample = () => Buffer.from([0, pick(2 ** Math.min(depth, 8))]);
  return chunk('tRNS', Buffer.concat(Array.from({ length: colorType === RGB ? 3 : 1 }, sample)));
}

/** `IDAT` chunks; one stream in ten is damaged, with correct checksums of the chunks. */
function imageData(pick: Pick, rows: Buffer): Buffer[] {
  const level = pick(10);
  let stream = deflateSync(rows, { level, windowBits: 9 + pick(7), strategy: pick(5) });
  const damages = [
    () => deflateSync(rows.subarray(0, pick(rows.length))),
    () => deflateSync(Buffer.concat([rows, rows])),
    () => stream.subarray(0, -1 - pick(8)),
    () => Buffer.concat([stream, bytes(pick, 20)]),
    () => withBit(stream, pick),
    () => withWindow(stream, pick(8)),
  ];
  if (rarely(pick, 10)) stream = oneOf(pick, damages)();
  const cut = rarely(pick, 3) ? pick(stream.length) : stream.length;
  return [stream.subarray(0, cut), stream.subarray(cut)].map((part) => chunk('IDAT', part));
}

/** The stream with another size of the window in its header. */
function withWindow(stream: Buffer, log: number) {
  const copy = Buffer.from(stream);
  copy[0] = (log << 4) | 8;
  copy[1] = 31 - (((log << 12) | (8 << 8)) % 31);
  return copy;
}

function withBit(file: Buffer, pick: Pick) {
  const copy = Buffer.from(file);
  const at = pick(copy.length);
  copy[at] = (copy[at] ?? 0) ^ (1 << pick(8));
  return copy;
}

/** A PNG that sharp writes of a picture. */
export async function writtenPng(pick: Pick): Promise<Buffer> {
  const name = oneOf(pick, ['logo.png', 'badge.webp', 'landscape.jpg', 'letters.gif']);
  const kernel = oneOf(pick, ['nearest', 'lanczos3'] as const);
  const [width, height] = [1 + pick(200), 1 + pick(200)];
  const resized = await sharp(picture(name)).resize(width, height, { fit: 'fill', kernel }).png().toBuffer();
  const image = sharp(resized);
  if (rarely(pick, 3)) image.removeAlpha();
  if (rarely(pick, 5)) image.grayscale().toColourspace('b-w');
  const options = { compressionLevel: pick(10), adaptiveFiltering: rarely(pick, 2) };
  const palette = rarely(pick, 2) ? { palette: true, colours: 2 + pick(255) } : {};
  return image.png({ ...options, ...palette }).toBuffer();
}

/** A copy that is cut, or in which bits, bytes or a part were changed; the checksums may be correct all the same. */
export function damaged(file: Buffer, pick: Pick): Buffer {
  const at = pick(file.length);
  const copies = [
    () => file.subarray(0, at),
    () => withBit(file, pick),
    () => withBit(withBit(file, pick), pick),
    () => Buffer.concat([file.subarray(0, at), file.subarray(at + 1 + pick(20))]),
    () => Buffer.concat([file.subarray(0, at), bytes(pick, 1 + pick(12)), file.subarray(at)]),
  ];
  const copy = Buffer.from(oneOf(pick, copies)());
  return rarely(pick, 2) ? copy : withChecksums(copy);
}

function withChecksums(file: Buffer): Buffer {
  for (let at = PNG_SIGNATURE.length; at + 12 <= file.length; ) {
    const end = at + 8 + file.readUInt32BE(at);
    if (end + 4 > file.length) break;
    file.writeUInt32BE(crc32(file.subarray(at + 4, end)), end);
    at = end + 4;
  }
  return file;
}
