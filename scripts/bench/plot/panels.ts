// Curves over the size of the picture, a panel for each kind of picture.
import { logScale, type Scale } from './scale.ts';
import { figure, line, mark, polyline, text } from './svg.ts';

export interface Curve {
  /** Its color, mark and place in the legend. */
  series: number;
  name: string;
  isOurs: boolean;
  points: { x: number; y: number }[];
}

export interface Panel {
  title: string;
  curves: Curve[];
}

export interface Axes {
  label: string;
  x: string;
  y: string;
}

const WIDTH = 820;
const COLUMNS = 2;
const PANEL = { width: WIDTH / COLUMNS, height: 230, left: 52, right: 14, top: 30, bottom: 40 };
const LEGEND_ROW = 20;

/** All panels have the same axes, so that they can be compared. */
export function panels(list: Panel[], axes: Axes): string {
  const names = legendEntries(list);
  const { parts, height } = legend(names, WIDTH);
  const points = list.flatMap(({ curves }) => curves.flatMap((curve) => curve.points));
  const x = logScale(
    points.map((point) => point.x),
    PANEL.left,
    PANEL.width - PANEL.right,
  );
  const y = logScale(
    points.map((point) => point.y),
    PANEL.height - PANEL.bottom,
    PANEL.top,
  );
  const drawn = list.map((panel, i) => {
    const place = `translate(${(i % COLUMNS) * PANEL.width} ${height + Math.floor(i / COLUMNS) * PANEL.height})`;
    return `<g transform="${place}">${frame(panel.title, x, y, axes)}${panel.curves.map((curve) => draw(curve, x, y, axes)).join('')}</g>`;
  });
  const rows = Math.ceil(list.length / COLUMNS);
  return figure(WIDTH, height + rows * PANEL.height, axes.label, [...parts, ...drawn]);
}

type Entry = Pick<Curve, 'series' | 'name'>;

function legendEntries(list: Panel[]): Entry[] {
  const entries = new Map(
    list.flatMap(({ curves }) => curves.map(({ series, name }) => [series, { series, name }])),
  );
  return [...entries.values()].sort((a, b) => a.series - b.series);
}

/** Names beside their marks, in rows as wide as the figure. */
export function legend(entries: Entry[], width: number): { parts: string[]; height: number } {
  const parts: string[] = [];
  let [x, row] = [4, 0];
  for (const { series, name } of entries) {
    const needed = 26 + name.length * 7;
    if (x + needed > width) [x, row] = [4, row + 1];
    const y = 14 + row * LEGEND_ROW;
    parts.push(mark(x + 6, y - 4, series, `f${series}`, name), text(x + 16, y, name));
    x += needed;
  }
  return { parts, height: (row + 1) * LEGEND_ROW + 8 };
}

function frame(title: string, x: Scale, y: Scale, axes: Axes): string {
  const [left, right] = [PANEL.left, PANEL.width - PANEL.right];
  const bottom = PANEL.height - PANEL.bottom;
  const parts = [text(left, 18, title, 'title')];
  for (const { value, label } of y.ticks) {
    parts.push(line(left, y.place(value), right, y.place(value), 'grid'));
    parts.push(text(left - 6, y.place(value) + 4, label, 'soft end'));
  }
  for (const { value, label } of x.ticks) {
    parts.push(line(x.place(value), bottom, x.place(value), bottom + 4, 'axis'));
    parts.push(text(x.place(value), bottom + 17, label, 'soft mid'));
  }
  parts.push(line(left, bottom, right, bottom, 'axis'));
  parts.push(text(right, bottom + 32, axes.x, 'soft end'), text(right, 18, axes.y, 'soft end'));
  return parts.join('');
}

function draw({ series, name, isOurs, points }: Curve, x: Scale, y: Scale, axes: Axes): string {
  const placed = points.map((point) => [x.place(point.x), y.place(point.y)] as const);
  const marks = points.map((point, i) => {
    const [px, py] = placed[i] as readonly [number, number];
    return mark(px, py, series, `f${series}`, `${name}: ${point.y.toPrecision(3)} ${axes.y}`);
  });
  return polyline(placed, `l${series}${isOurs ? ' ours' : ''}`) + marks.join('');
}
