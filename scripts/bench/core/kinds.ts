// The kinds of pictures, as SVG that can be rendered at any size. Text is made of strokes, because fonts differ between machines.
import sharp, { type Sharp } from 'sharp';
import { BADGE, FOX } from './art.ts';
import { randomNumbers } from './statistics.ts';

export interface Kind {
  name: string;
  mode: 'color' | 'binary';
  /** RGBA, straight alpha, `side × side`. */
  draw(side: number): Promise<Buffer> | Buffer;
}

export const KINDS: Kind[] = [
  { name: 'icon', mode: 'color', draw: (side) => render(BADGE, side).toBuffer() },
  {
    name: 'logo',
    mode: 'color',
    draw: (side) => render(FOX, side).flatten({ background: '#fff' }).ensureAlpha().toBuffer(),
  },
  { name: 'text', mode: 'color', draw: (side) => onPaper(page(side), side).toBuffer() },
  { name: 'lines', mode: 'color', draw: (side) => onPaper(flower(side, side), side).toBuffer() },
  {
    name: 'photo',
    mode: 'color',
    draw: async (side) => grainy(await photo(side).toBuffer(), 8),
  },
  { name: 'noise', mode: 'color', draw: (side) => grainy(Buffer.alloc(side * side * 4, 128), 256, 3) },
  {
    name: 'scan',
    mode: 'binary',
    draw: async (side) => grainy(await onPaper(scan(side), side).blur(0.6).toBuffer(), 14),
  },
];

function render(svg: string, side: number): Sharp {
  const sized = svg.replace('<svg ', `<svg width="${side}" height="${side}" `);
  return sharp(Buffer.from(sized), { unlimited: true }).ensureAlpha().raw();
}

const onPaper = (content: string, side: number) =>
  render(
    `<svg xmlns="http://www.w3.org/2000/svg"><rect width="100%" height="100%" fill="#fdfcf8"/>${content}</svg>`,
    side,
  );

/** Adds random levels to each pixel: one for all channels, or one for each. */
function grainy(rgba: Buffer, levels: number, channels: 1 | 3 = 1): Buffer {
  const random = randomNumbers(rgba.length);
  let change = 0;
  for (let i = 0; i < rgba.length; i++) {
    if (i % 4 < channels) change = (random() - 0.5) * levels;
    const value = i % 4 === 3 ? 255 : (rgba[i] as number) + change;
    rgba[i] = Math.max(0, Math.min(255, value));
  }
  return rgba;
}

const pen = (width: number, content: string) =>
  `<g fill="none" stroke="#1b2733" stroke-width="${width}" stroke-linecap="round" stroke-linejoin="round">${content}</g>`;

/** The small letters a, b, c, d, e, h, i, l, n, o, r, s, t, u, v, z, from the left end of the baseline, in pixels. */
const GLYPHS = [
  'm6.5-7v7m0-3.5a3.2 3.5 0 1 1-6.4 0a3.2 3.5 0 1 1 6.4 0',
  'm.6-12v12m0-3.5a3.2 3.5 0 1 1 6.4 0a3.2 3.5 0 1 1-6.4 0',
  'm6.2-5.5a3.2 3.5 0 1 0 0 4',
  'm6.5-12v12m0-3.5a3.2 3.5 0 1 1-6.4 0a3.2 3.5 0 1 1 6.4 0',
  'm.3-3.5h6.4a3.2 3.5 0 1 0-1.2 2.7',
  'm.6-12v12m0-4a3 3 0 0 1 6 0v4',
  'm3.3-7v7m0-10v.4',
  'm3.3-12v12',
  'm.6-7v7m0-4a3 3 0 0 1 6 0v4',
  'm.3-3.5a3.2 3.5 0 1 1 6.4 0a3.2 3.5 0 1 1-6.4 0',
  'm.8-7v7m0-4a3 3 0 0 1 4-2.6',
  'm5.8-5.8c-1-1.6-5-1.6-5 .4s5 1.4 5 3.6-4 2.4-5.2.5',
  'm3-10v10m-2.4-7h5',
  'm.6-7v4a3 3 0 0 0 6 0v-4m0 0v7',
  'm.4-7 3 7 3-7',
  'm.8-7h5.4l-5.6 7h6',
];

/** Random words in letters of a fixed size, so that larger pictures hold more of them. */
function page(side: number): string {
  const random = randomNumbers(side);
  let path = '';
  for (let y = 21; y < side - 4; y += 22) {
    for (let x = 9; x < side - 17; x += 8.6) {
      const glyph = GLYPHS[Math.floor(random() * GLYPHS.length * 1.2)];
      if (glyph !== undefined) path += `M${x.toFixed(1)} ${y}${glyph}`;
    }
  }
  return pen(1.7, `<path d="${path}"/>`);
}

/** Line art, `width` pixels wide, in a picture of `side` pixels. The pen is half a percent of the picture wide, and at least a pixel. */
function flower(width: number, side: number): string {
  const petal = 'M200 130c-26-30-26-74 0-104 26 30 26 74 0 104zM200 124V56M200 96l-10-18M200 96l10-18';
  const petals = Array.from(
    { length: 21 },
    (_, i) => `<path transform="rotate(${(i * 120) / 7} 200 200)" d="${petal}"/>`,
  );
  const seeds = [6, 18, 30, 42, 54, 66].map((radius) => `<circle cx="200" cy="200" r="${radius}"/>`);
  const frame =
    '<rect x="8" y="8" width="384" height="384" rx="24"/><path d="M8 60 60 8M392 60 340 8M8 340l52 52M392 340l-52 52"/>';
  const drawing = pen(Math.max(2, 400 / side), frame + petals.join('') + seeds.join(''));
  return `<g transform="scale(${width / 400})">${drawing}</g>`;
}

/** Skewed, on paper that gets darker toward a corner. */
function scan(side: number): string {
  const art = `<g transform="translate(${side * 0.55} ${side * 0.55})"><rect width="40%" height="40%" fill="#fff"/>${flower(side * 0.4, side)}</g>`;
  const shade =
    '<linearGradient id="s" x2="1" y2="1"><stop stop-opacity="0"/><stop offset="1" stop-opacity=".3"/></linearGradient>';
  return `<g transform="rotate(.7 ${side / 2} ${side / 2})">${page(side)}${art}</g>${shade}<rect width="100%" height="100%" fill="url(#s)"/>`;
}

/** Cut from a larger drawing, because the textures move pixels in from its right and lower edges. */
const photo = (side: number) =>
  render(landscape(side), Math.ceil(side * 1.1)).extract({ left: 0, top: 0, width: side, height: side });

/** Mountains behind a meadow: gradients, and textures whose finest octave is two pixels wide at every size. */
function landscape(side: number): string {
  const octaves = Math.max(2, Math.round(Math.log2(side)) - 3);
  const rough = (id: string, strength: number, seed: number) =>
    `<filter id="${id}" x="-10%" y="-10%" width="120%" height="120%" color-interpolation-filters="sRGB"><feTurbulence type="fractalNoise" baseFrequency=".02 .03" numOctaves="${octaves}" seed="${seed}"/><feColorMatrix result="n" values="1 0 0 0 0 1 0 0 0 0 1 0 0 0 0 0 0 0 0 1"/><feDisplacementMap in="SourceGraphic" in2="n" scale="60" xChannelSelector="A" yChannelSelector="R" result="d"/><feComposite in="d" in2="n" operator="arithmetic" k2="1" k3="${strength}" k4="${-strength / 2}"/><feComposite in2="d" operator="in"/></filter>`;
  const ridges = [
    ['#96a4c0', 0.1, 'M-40 210 60 150 130 200 210 130 290 190 360 140 440 200V460H-40z'],
    ['#70809e', 0.25, 'M-40 230 20 190 120 240 190 180 270 240 330 200 440 250V460H-40z'],
    ['#4a606a', 0.4, 'M-40 270 50 250 110 280 170 240 250 280 340 230 440 280V460H-40z'],
    ['#546e3e', 0.7, 'M-40 320 100 310 220 330 340 300 440 320V460H-40z'],
  ] as const;
  const hills = ridges.map(
    ([color, strength, path], i) =>
      `${rough(`r${i}`, strength, i)}<path filter="url(#r${i})" fill="${color}" d="${path}"/>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400"><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#608ccd"/><stop offset=".6" stop-color="#c6d2c1"/></linearGradient><radialGradient id="sun" cx=".7" cy=".3" r=".3"><stop stop-color="#fff3d0"/><stop offset="1" stop-color="#fff3d0" stop-opacity="0"/></radialGradient><filter id="clouds" color-interpolation-filters="sRGB"><feTurbulence type="fractalNoise" baseFrequency=".008 .02" numOctaves="${octaves}" seed="9"/><feColorMatrix values="0 0 0 0 1 0 0 0 0 1 0 0 0 0 1 2 0 0 0 -.9"/></filter><rect width="400" height="400" fill="url(#sky)"/><rect width="400" height="400" fill="url(#sun)"/><rect width="400" height="400" filter="url(#clouds)"/>${hills.join('')}</svg>`;
}
