// The kinds of pictures; each can be drawn at any size.
import sharp from 'sharp';
import { BADGE, FOX } from '../../../test/pictures/art.ts';
import { flower } from './flower.ts';
import { page } from './letters.ts';
import { painting } from './painting.ts';
import { randomNumbers } from './random.ts';

export interface Kind {
  name: string;
  /** A description for the report. */
  about: string;
  mode: 'color' | 'binary';
  /** RGBA, straight alpha, `side × side`. */
  draw(side: number): Promise<Buffer> | Buffer;
}

export const KINDS: Kind[] = [
  {
    name: 'icon',
    about: 'a star on a disc, transparent around it',
    mode: 'color',
    draw: (side) => art(BADGE, side),
  },
  {
    name: 'logo',
    about: 'a fox’s head in flat colors, on white',
    mode: 'color',
    draw: (side) => art(FOX, side, '#fff'),
  },
  {
    name: 'text',
    about: 'a page of small print; larger pictures hold more of it',
    mode: 'color',
    draw: (side) => drawn(side, print),
  },
  {
    name: 'lines',
    about: 'line art: some hundred curves of one pen',
    mode: 'color',
    draw: (side) => drawn(side, lineArt),
  },
  {
    name: 'photo',
    about: 'a landscape with textures down to the pixel, and grain',
    mode: 'color',
    draw: painting,
  },
  { name: 'noise', about: 'every pixel a random color: the worst case', mode: 'color', draw: noise },
  { name: 'scan', about: 'print and line art on uneven, noisy paper, askew', mode: 'binary', draw: scan },
];

const print = (side: number) => `<rect width="100%" height="100%" fill="#fdfcf8"/>${page(side, '#22313f')}`;

const lineArt = (side: number) =>
  `<rect width="100%" height="100%" fill="#fff"/><g transform="scale(${side / 400})">${flower(side)}</g>`;

function art(svg: string, side: number, background?: string): Promise<Buffer> {
  const sized = svg.replace('<svg ', `<svg width="${side}" height="${side}" `);
  const plain = sharp(Buffer.from(sized), { unlimited: true });
  return (background === undefined ? plain : plain.flatten({ background })).ensureAlpha().raw().toBuffer();
}

function drawn(side: number, content: (side: number) => string): Promise<Buffer> {
  return art(`<svg xmlns="http://www.w3.org/2000/svg">${content(side)}</svg>`, side);
}

function noise(side: number): Buffer {
  const random = randomNumbers(side);
  return Buffer.from(
    Uint8Array.from({ length: side * side * 4 }, (_, i) => (i % 4 === 3 ? 255 : random() * 256)),
  );
}

const SKEW_DEG = 0.7;
/** How much darker the paper is in its darkest corner. */
const SHADE = 0.3;
const GRAIN_LEVELS = 14;

async function scan(side: number): Promise<Buffer> {
  const content = (side: number) => {
    const turned = `<g transform="rotate(${SKEW_DEG} ${side / 2} ${side / 2})">`;
    return `<rect width="100%" height="100%" fill="#fff"/>${turned}${page(side, '#1a1a1a')}<g transform="translate(${side * 0.55} ${side * 0.55}) scale(${side / 1000})"><rect width="400" height="400" fill="#fff"/>${flower(side)}</g></g>`;
  };
  const soft = await sharp(await drawn(side, content), { raw: { width: side, height: side, channels: 4 } })
    .blur(0.6)
    .raw()
    .toBuffer();
  const random = randomNumbers(side + 1);
  for (let i = 0; i < soft.length; i += 4) {
    const [x, y] = [(i / 4) % side, Math.floor(i / 4 / side)];
    const light = 1 - (SHADE * (x + y)) / (2 * side);
    const grey = (soft[i] as number) * light + (random() - 0.5) * GRAIN_LEVELS;
    soft.fill(Math.max(0, Math.min(255, grey)), i, i + 3);
  }
  return soft;
}
