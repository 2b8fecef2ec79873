/**
 * Draws the pictures of this folder anew: `node --import tsx test/pictures/draw.ts`. The bytes may differ with the
 * version of sharp; the committed files are what the tests use.
 */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { BADGE, FOX } from '../../scripts/bench/core/art.ts';

const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));

const LETTERS = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 200 100">
  <rect width="200" height="100" fill="#ffffff"/>
  <path d="M20 80V20h40v12H34v12h22v12H34v24zM80 20h14v48h28v12H80zM140 20h40v12h-13v48h-14V32h-13z" fill="#22313f"/>
</svg>`;

const draw = (svg: string, width: number) => sharp(Buffer.from(svg), { density: 192 }).resize(width);

/** Hills at dusk under grain: the smooth ramps and noise of a photograph, from formulas. */
function landscape(width: number, height: number): Buffer {
  const rgb = Buffer.alloc(width * height * 3);
  let seed = 1;
  // A linear congruential generator: the same grain every time.
  const grain = () => {
    seed = (seed * 1664525 + 1013904223) >>> 0;
    return (seed / 2 ** 32 - 0.5) * 14;
  };
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const color = colorAt(x / width, y / height).map((value) => value + grain());
      for (const [i, value] of color.entries())
        rgb[(y * width + x) * 3 + i] = Math.max(0, Math.min(255, value));
    }
  }
  return rgb;
}

function colorAt(u: number, v: number): number[] {
  const far = 0.55 + 0.06 * Math.sin(u * 7) + 0.02 * Math.sin(u * 23);
  const near = 0.72 + 0.09 * Math.sin(u * 4 + 2);
  if (v > near) return [30 + 40 * (v - near), 48 + 90 * (v - near), 40];
  if (v > far) return [70 + 60 * (v - far), 84, 110 - 120 * (v - far)];
  const sun = Math.exp(-((u - 0.68) ** 2 + (v - 0.4) ** 2) * 60);
  return [90 + 150 * v + 130 * sun, 110 + 90 * v + 90 * sun, 190 - 110 * v + 20 * sun];
}

/** 24-bit BMP, rows from bottom to top; sharp cannot write it. */
function bmp(rgb: Buffer, width: number, height: number): Buffer {
  const stride = Math.ceil((width * 3) / 4) * 4;
  const file = Buffer.alloc(54 + stride * height);
  file.write('BM');
  file.writeUInt32LE(file.length, 2);
  for (const [at, value] of [
    [10, 54],
    [14, 40],
    [18, width],
    [22, height],
    [34, stride * height],
  ] as const) {
    file.writeUInt32LE(value, at);
  }
  file.writeUInt16LE(1, 26);
  file.writeUInt16LE(24, 28);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = ((height - 1 - y) * width + x) * 3;
      for (let i = 0; i < 3; i++) file[54 + y * stride + x * 3 + i] = rgb[from + 2 - i] ?? 0;
    }
  }
  return file;
}

await draw(FOX, 256).png({ compressionLevel: 9 }).toFile(here('logo.png'));
await draw(BADGE, 160).webp({ lossless: true }).toFile(here('badge.webp'));
await draw(LETTERS, 200).gif().toFile(here('letters.gif'));
const photo = { width: 320, height: 213, channels: 3 } as const;
await sharp(landscape(photo.width, photo.height), { raw: photo })
  .jpeg({ quality: 82 })
  .toFile(here('landscape.jpg'));
const flat = await draw(LETTERS, 120).flatten().removeAlpha().raw().toBuffer({ resolveWithObject: true });
writeFileSync(here('letters.bmp'), bmp(flat.data, flat.info.width, flat.info.height));
