// Print of a fixed size in pixels, so that larger pictures hold more of it. It is made of strokes, because fonts differ between machines.
import { randomNumbers } from './random.ts';

const BOWL = 'a3.2 3.5 0 1 1 6.4 0a3.2 3.5 0 1 1-6.4 0';
const BOWL_LEFT = 'a3.2 3.5 0 1 1-6.4 0a3.2 3.5 0 1 1 6.4 0';

/** Pen strokes in pixels, from the left end of the baseline. */
const GLYPHS = [
  `m6.5-7v7m0-3.5${BOWL_LEFT}`,
  `m.6-12v12m0-3.5${BOWL}`,
  'm6.2-5.5a3.2 3.5 0 1 0 0 4',
  `m6.5-12v12m0-3.5${BOWL_LEFT}`,
  'm.3-3.5h6.4a3.2 3.5 0 1 0-1.2 2.7',
  'm.6-12v12m0-4a3 3 0 0 1 6 0v4',
  'm3.3-7v7m0-10v.4',
  'm.8-12v12m5-7-5 4.4 5.4 2.6',
  'm3.3-12v12',
  'm.6-7v7m0-4a3 3 0 0 1 6 0v4',
  `m.3-3.5${BOWL}`,
  `m.6-7v10m0-6.5${BOWL}`,
  'm.8-7v7m0-4a3 3 0 0 1 4-2.6',
  'm5.8-5.8c-1-1.6-5-1.6-5 .4s5 1.4 5 3.6-4 2.4-5.2.5',
  'm3-10v10m-2.4-7h5',
  'm.6-7v4a3 3 0 0 0 6 0v-4m0 0v7',
  'm.4-7 3 7 3-7',
  'm.6-7 6 7m0-7-6 7',
  'm.8-7h5.4l-5.6 7h6',
];
const ADVANCE_PX = 8.6;
const LINE_PX = 22;
const MARGIN_PX = 9;
const PEN_PX = 1.7;

/** A page of random words, as an SVG group. */
export function page(side: number, ink: string): string {
  const random = randomNumbers(side);
  const lines: string[] = [];
  for (let y = MARGIN_PX + 12; y < side - 4; y += LINE_PX) lines.push(line(y, side, random));
  return `<g fill="none" stroke="${ink}" stroke-width="${PEN_PX}" stroke-linecap="round" stroke-linejoin="round">${lines.join('')}</g>`;
}

function line(y: number, side: number, random: () => number): string {
  const path: string[] = [];
  let lettersLeft = 0;
  for (let x = MARGIN_PX; x < side - MARGIN_PX - ADVANCE_PX; x += ADVANCE_PX) {
    if (lettersLeft-- > 0) path.push(`M${x.toFixed(1)} ${y}${GLYPHS[Math.floor(random() * GLYPHS.length)]}`);
    else lettersLeft = 2 + Math.floor(random() * 8);
  }
  return `<path d="${path.join('')}"/>`;
}
