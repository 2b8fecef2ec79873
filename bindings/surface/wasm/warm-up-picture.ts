import type { ImageLike } from './image.ts';

const WIDTH_PX = 160;
const HEIGHT_PX = 64;
/** The left part is full of detail; on the right lies one shape on flat ground, which other code passes over many pixels at a time. */
const DETAIL_PX = 64;

/**
 * A picture with something for every stage: a ramp, a disc, strokes of a pen, grain, a large flat shape. Run times compile a function
 * when it is first called, and well when it has run for a while, so tracing this has all of them compiled.
 */
export function warmingPicture(): ImageLike {
  const data = new Uint8Array(4 * WIDTH_PX * HEIGHT_PX);
  for (let i = 0; i < WIDTH_PX * HEIGHT_PX; i++) {
    const [x, y] = [i % WIDTH_PX, Math.floor(i / WIDTH_PX)];
    data.set(x < DETAIL_PX ? detail(x, y) : blot(x - 120, y - 30), 4 * i);
  }
  return { width: WIDTH_PX, height: HEIGHT_PX, data };
}

function detail(x: number, y: number): number[] {
  const disc = covered(9 - Math.hypot(x - 13, y - 17));
  const pen = covered(1 - Math.abs(((x + 0.4 * y) % 16) - 8));
  const grain = y < 6 ? (x * x * 31 + y * y * 17) % 64 : 0;
  return [250 - 200 * disc - 40 * pen - grain, 240 - 3 * y, 250 - 220 * pen, 255];
}

/** A shape with five lobes. */
function blot(x: number, y: number): number[] {
  const ink = covered(17.3 - Math.hypot(x, y) * (1 + 0.2 * Math.cos(5 * Math.atan2(y, x))));
  return [250 - 220 * ink, 250 - 120 * ink, 250 - 60 * ink, 255];
}

/** How much of a pixel lies inside of an edge that is so far from its middle. */
const covered = (distance: number) => Math.min(1, Math.max(0, distance + 0.5));
