// What a picture shows and its drawing does not, in units of the noise of the picture.

/** By how much a pixel of an edge differs from what renderers draw there, in levels of a channel: `PIXEL_NOISE` of the engine. */
const EDGE_NOISE = 5;

/** The median of the sum of three squared normal deviations. */
const MEDIAN_OF_SQUARES = 2.366;

/** Of three normal deviations, the sum of squares is above this once in a thousand times. */
const ABOVE_NOISE = 16.27;

/** What the default options ask to simplify is no error: steps below `layerDifference`, patches and bumps below `filterSpeckle` and `lengthThreshold`. */
const LEAST_STEP = 16;
const LEAST_EXTENT_PX = 4;

const WORST_PLACES = 3;

/**
 * Compares two opaque RGBA pictures of the same size. Returns the noise as a standard deviation of a channel, the share of the pixels
 * that differ by more than noise, a map of these (the squared difference in variances, or 0), and the places where they differ most.
 */
export function residual(picture, drawing, width, height) {
  const squares = new Float32Array(width * height);
  const isStep = new Uint8Array(squares.length);
  for (let i = 0; i < squares.length; i++) {
    const by = [0, 1, 2].map((c) => picture[4 * i + c] - drawing[4 * i + c]);
    squares[i] = by[0] ** 2 + by[1] ** 2 + by[2] ** 2;
    isStep[i] = Math.abs(by[0]) + Math.abs(by[1]) + Math.abs(by[2]) >= LEAST_STEP ? 1 : 0;
  }
  const variance = EDGE_NOISE ** 2 + flatVariance(squares, drawing, width);
  const map = squares.map((square, i) => {
    const excess = square / variance;
    return isStep[i] === 1 && excess > ABOVE_NOISE ? excess : 0;
  });
  const places = placesOf(map, width);
  for (const { pixels } of places.filter(({ isSmall }) => isSmall)) for (const i of pixels) map[i] = 0;
  const above = map.reduce((count, excess) => count + (excess > 0 ? 1 : 0), 0);
  const worst = places
    .filter(({ isSmall }) => !isSmall)
    .sort((a, b) => b.excess - a.excess)
    .slice(0, WORST_PLACES)
    .map(({ isSmall: _, pixels: __, ...place }) => place);
  return { noise: Math.sqrt(variance), above: above / map.length, map, worst };
}

/** The variance of a channel where the drawing is flat, as half of the pixels show it. */
function flatVariance(squares, drawing, width) {
  const colors = new Uint32Array(drawing.buffer, drawing.byteOffset, squares.length);
  const flat = squares.filter((_, i) =>
    [i - 1, i + 1, i - width, i + width].every((j) => (colors[j] ?? colors[i]) === colors[i]),
  );
  return flat.length === 0 ? 0 : flat.sort()[flat.length >> 1] / MEDIAN_OF_SQUARES;
}

/** The connected pixels of a map that are not 0. */
function placesOf(map, width) {
  const isSeen = new Uint8Array(map.length);
  const places = [];
  for (let first = 0; first < map.length; first++) {
    if (map[first] === 0 || isSeen[first] === 1) continue;
    isSeen[first] = 1;
    const pixels = [first];
    let excess = 0;
    let [left, top, right, bottom] = [width, map.length, 0, 0];
    // The list grows while it is read.
    for (const i of pixels) {
      const [x, y] = [i % width, Math.floor(i / width)];
      excess += map[i];
      [left, top, right, bottom] = [
        Math.min(left, x),
        Math.min(top, y),
        Math.max(right, x + 1),
        Math.max(bottom, y + 1),
      ];
      for (let dy = -1; dy <= 1; dy++) {
        for (let dx = -1; dx <= 1; dx++) {
          const j = i + dy * width + dx;
          if (x + dx < 0 || x + dx >= width || !(map[j] > 0) || isSeen[j] === 1) continue;
          isSeen[j] = 1;
          pixels.push(j);
        }
      }
    }
    const size = { width: right - left, height: bottom - top };
    const isSmall = Math.max(size.width, size.height) < LEAST_EXTENT_PX;
    places.push({ x: left, y: top, ...size, excess, isSmall, pixels });
  }
  return places;
}
