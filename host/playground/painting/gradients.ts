/** A `<linearGradient>` or `<radialGradient>` element in user space. */
export interface Gradient {
  /** The first point of a linear gradient; the focus of a radial one. */
  from: readonly [number, number];
  /** The last point of a linear gradient; center and radius of a radial one. */
  to: readonly [number, number] | readonly [number, number, number];
  /** `gradientTransform`. */
  matrix: readonly number[] | undefined;
  stops: readonly Stop[];
}

interface Stop {
  offset: number;
  color: string;
}

const GRADIENT = /<(linear|radial)Gradient([^>]*)>(.*?)<\/\1Gradient>/g;
const STOP = /<stop([^>]*)\/>/g;
const OPAQUE = 255;

/** The gradients of an SVG as the engine writes them, by their identifiers. */
export function parseGradients(svg: string): Map<string, Gradient> {
  const found = Array.from(svg.matchAll(GRADIENT), ([, kind, attributes = '', stops = '']) => {
    const length = (name: string, other = name) =>
      Number(attribute(attributes, name) ?? attribute(attributes, other) ?? 0);
    const isLinear = kind === 'linear';
    const matrix = /matrix\((.*)\)/.exec(attribute(attributes, 'gradientTransform') ?? '')?.[1];
    const gradient: Gradient = {
      from: isLinear ? [length('x1'), length('y1')] : [length('fx', 'cx'), length('fy', 'cy')],
      to: isLinear ? [length('x2'), length('y2')] : [length('cx'), length('cy'), length('r')],
      matrix: matrix?.match(/-?(?:\d+(?:\.\d+)?|\.\d+)/g)?.map(Number),
      stops: Array.from(stops.matchAll(STOP), ([, stop = '']) => parseStop(stop)),
    };
    return [attribute(attributes, 'id') ?? '', gradient] as const;
  });
  return new Map(found);
}

function parseStop(attributes: string): Stop {
  const digits = (attribute(attributes, 'stop-color') ?? '#000').slice(1);
  const rgb = digits.length > 3 ? digits : digits.replaceAll(/./g, '$&$&');
  const alpha = Math.round(Number(attribute(attributes, 'stop-opacity') ?? 1) * OPAQUE);
  const color = `#${rgb}${alpha.toString(16).padStart(2, '0')}`;
  return { offset: Number(attribute(attributes, 'offset') ?? 0), color };
}

/** The value of an attribute. */
export function attribute(text: string, name: string): string | undefined {
  return new RegExp(`\\s${name}="([^"]*)"`).exec(text)?.[1];
}

/** Fills a path with a gradient. */
export function fillWithGradient(
  context: OffscreenCanvasRenderingContext2D,
  path: Path2D,
  { from, to, matrix, stops }: Gradient,
): void {
  const [x, y] = from;
  const fill =
    to.length === 3
      ? context.createRadialGradient(x, y, 0, ...to)
      : context.createLinearGradient(x, y, ...to);
  for (const { offset, color } of stops) fill.addColorStop(offset, color);
  context.fillStyle = fill;
  if (matrix === undefined) {
    context.fill(path);
    return;
  }
  // A canvas transforms gradients and paths alike, so the path is transformed back first.
  const transform = new DOMMatrix([...matrix]);
  const inverted = new Path2D();
  inverted.addPath(path, transform.inverse());
  context.save();
  context.transform(transform.a, transform.b, transform.c, transform.d, transform.e, transform.f);
  context.fill(inverted);
  context.restore();
}
