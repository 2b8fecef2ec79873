import { crc32 } from 'node:zlib';
import sharp from 'sharp';
import { jpegOfScans } from '../attacks/support/jpeg.ts';
import { picture } from '../http/service.ts';

/** An upload that costs the service far more than its sender. */
export interface Bomb {
  name: string;
  file: Buffer;
  config?: object;
}

/** All kinds of bombs, with images of `sidePx` × `sidePx`. */
export async function bombs(sidePx: number): Promise<Bomb[]> {
  const board = await checkerboard(sidePx);
  const noise = await noisePng(Math.round(sidePx / 3));
  return [
    { name: 'a checkerboard of 1-bit pixels', file: board },
    { name: 'a checkerboard at full detail', file: board, config: { filterSpeckle: 0 } },
    { name: 'noise', file: noise },
    { name: 'noise at full detail', file: noise, config: { filterSpeckle: 0, layerDifference: 0 } },
    { name: 'a JPEG of 20,000 scans', file: jpegOfScans({ width: 256, height: 256 }, 20_000) },
    { name: 'a pixel in 6 MB', file: await paddedPixel(6_000_000) },
  ];
}

/** A PNG of a few kilobytes whose neighboring pixels all differ. */
export async function checkerboard(sidePx: number): Promise<Buffer> {
  const data = Buffer.alloc(sidePx * sidePx, 0);
  for (let y = 0; y < sidePx; y++) for (let x = y & 1; x < sidePx; x += 2) data[y * sidePx + x] = 255;
  const raw = { width: sidePx, height: sidePx, channels: 1 } as const;
  return sharp(data, { raw, limitInputPixels: false })
    .toColourspace('b-w')
    .png({ palette: true, colours: 2 })
    .toBuffer();
}

/** A PNG of random colors: three bytes per pixel. */
export async function noisePng(sidePx: number): Promise<Buffer> {
  const data = Buffer.alloc(sidePx * sidePx * 3);
  let seed = 1;
  for (let i = 0; i < data.length; i++) {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    data[i] = seed >>> 24;
  }
  return sharp(data, { raw: { width: sidePx, height: sidePx, channels: 3 } })
    .png({ compressionLevel: 1 })
    .toBuffer();
}

/** A PNG with one pixel, and a chunk of zeros that no decoder needs. */
async function paddedPixel(bytes: number): Promise<Buffer> {
  const png = await sharp(picture('logo.png')).resize(1, 1).png().toBuffer();
  const chunk = Buffer.alloc(12 + bytes);
  chunk.writeUInt32BE(bytes, 0);
  chunk.write('paDd', 4, 'latin1');
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 8 + bytes)), 8 + bytes);
  const afterHeader = 8 + 25;
  return Buffer.concat([png.subarray(0, afterHeader), chunk, png.subarray(afterHeader)]);
}
