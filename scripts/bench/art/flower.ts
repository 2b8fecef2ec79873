// Line art: many curves of one pen, in a drawing that scales with the picture.
const PETALS = 21;
const SPIRAL_TURNS = 7;
const SPIRAL_STEPS = 24;

/** An SVG group in a square of 400 units. */
export function flower(side: number): string {
  // The pen is half a percent wide, and at least a pixel.
  const pen = Math.max(2, 400 / side);
  const petals = Array.from({ length: PETALS }, (_, i) => {
    const turn = `transform="rotate(${((i * 360) / PETALS).toFixed(3)} 200 200)"`;
    return `<path ${turn} d="M200 130c-26-30-26-74 0-104 26 30 26 74 0 104zM200 124V56M200 96l-10-18M200 96l10-18"/>`;
  });
  const seeds = [18, 30, 42, 54, 66].map((radius) => `<circle cx="200" cy="200" r="${radius}"/>`);
  const frame =
    '<rect x="8" y="8" width="384" height="384" rx="24"/><path d="M8 60 60 8M392 60 340 8M8 340l52 52M392 340l-52 52"/>';
  return `<g fill="none" stroke="#1b2733" stroke-width="${pen}">${frame}${petals.join('')}${seeds.join('')}<path d="${spiral()}"/></g>`;
}

/** Each step is an arc, because short straight lines would make a polygon. */
function spiral(): string {
  const points = Array.from({ length: SPIRAL_TURNS * SPIRAL_STEPS }, (_, i) => {
    const angle = (i * 2 * Math.PI) / SPIRAL_STEPS;
    const radius = 2 + (i * 14) / (SPIRAL_TURNS * SPIRAL_STEPS);
    return {
      radius,
      at: `${(200 + radius * Math.cos(angle)).toFixed(2)} ${(200 + radius * Math.sin(angle)).toFixed(2)}`,
    };
  });
  return points
    .map(({ radius, at }, i) =>
      i === 0 ? `M${at}` : `A${radius.toFixed(2)} ${radius.toFixed(2)} 0 0 1 ${at}`,
    )
    .join('');
}
