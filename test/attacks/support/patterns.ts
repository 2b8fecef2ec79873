import { deflateSync } from 'node:zlib';
import { chunk, GRAY, iend, ihdr, PALETTE, png } from './png.ts';

/** Whether a pixel is dark. */
type Pattern = (x: number, y: number, width: number, height: number) => boolean;

/** The same 32 bits for the same x and y: a hash (the finalizer of MurmurHash3). */
function hash(x: number, y: number): number {
  let bits = Math.imul(x, 0x85ebca6b) ^ Math.imul(y + 1, 0xc2b2ae35);
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** Images that ask the most of a tracer: as many shapes, edges or nodes as their pixels allow. */
export const PATTERNS: Record<string, Pattern> = {
  noise: (x, y) => hash(x, y) % 2 === 0,
  'noise of 2 px': (x, y) => hash(x >> 1, y >> 1) % 2 === 0,
  'checkerboard of 1 px': (x, y) => (x + y) % 2 === 0,
  'checkerboard of 2 px': (x, y) => ((x >> 1) + (y >> 1)) % 2 === 0,
  dots: (x, y) => x % 2 === 0 && y % 2 === 0,
  rings: (x, y, width, height) => Math.floor(Math.hypot(x - width / 2, y - height / 2)) % 4 < 2,
  frames: (x, y, width, height) => Math.min(x, y, width - 1 - x, height - 1 - y) % 2 === 0,
  strips: (_, y) => y % 2 === 0,
  // A binary tree maze: of each cell, the wall to the north or to the west is open.
  maze: (x, y) => {
    if (x % 2 === 0 && y % 2 === 0) return true;
    const isOpen = hash(x >> 1, y >> 1) % 2 === 0;
    if (x % 2 === 1 && y % 2 === 1) return false;
    return x % 2 === 0 ? isOpen : !isOpen;
  },
};

/** A PNG of one bit a pixel. */
export function patternPng(pattern: Pattern, width: number, height: number): Buffer {
  const rowBytes = Math.ceil(width / 8);
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++)
      if (!pattern(x, y, width, height)) {
        const at = y * (rowBytes + 1) + 1 + (x >> 3);
        rows[at] = (rows[at] ?? 0) | (0x80 >> (x & 7));
      }
  const header = ihdr({ width, height, depth: 1, colorType: GRAY });
  return png(header, chunk('IDAT', deflateSync(rows, { level: 1 })), iend);
}

/** Noise in 256 colors: a byte a pixel, which no compression makes smaller. */
export function colorNoisePng(width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++)
    for (let x = 0; x < width; x++) rows[y * (width + 1) + 1 + x] = hash(x, y) & 255;
  const palette = Buffer.alloc(768);
  for (let i = 0; i < 768; i++) palette[i] = hash(i, 7) & 255;
  const header = ihdr({ width, height, colorType: PALETTE });
  return png(header, chunk('PLTE', palette), chunk('IDAT', deflateSync(rows, { level: 1 })), iend);
}

/** Sets of options that make the most of every pixel, in different ways. */
export const OPTION_SETS: Record<string, object> = {
  'no options': {},
  'every detail': { filterSpeckle: 0, layerDifference: 0, colorPrecision: 8 },
  'pixel outlines': { mode: 'none', filterSpeckle: 0 },
  binary: { colorMode: 'binary', filterSpeckle: 0 },
};
