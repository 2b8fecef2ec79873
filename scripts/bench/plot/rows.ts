// Marks along one axis, a row for each thing compared.
import { legend } from './panels.ts';
import { linearScale, logScale } from './scale.ts';
import { figure, line, mark, text } from './svg.ts';

export interface Dot {
  series: number;
  name: string;
  value: number;
  /** Where the value lies for sure, if that is known. */
  low?: number;
  high?: number;
}

export interface Row {
  title: string;
  dots: Dot[];
}

export interface RowAxis {
  label: string;
  unit: string;
  isLog: boolean;
  /** A value worth a line of its own. */
  reference?: number;
  hasLegend: boolean;
}

const WIDTH = 820;
const LEFT = 150;
const RIGHT = 24;
const ROW = 30;

export function rows(list: Row[], axis: RowAxis): string {
  const dots = list.flatMap((row) => row.dots);
  const values = dots.flatMap(({ value, low, high }) => [value, low ?? value, high ?? value]);
  if (axis.reference !== undefined) values.push(axis.reference);
  const scale = (axis.isLog ? logScale : linearScale)(values, LEFT, WIDTH - RIGHT);
  const names = [...new Map(dots.map(({ series, name }) => [series, { series, name }])).values()];
  const head = axis.hasLegend
    ? legend(
        names.sort((a, b) => a.series - b.series),
        WIDTH,
      )
    : { parts: [], height: 8 };
  const bottom = head.height + list.length * ROW;
  const parts = [...head.parts];
  for (const { value, label } of scale.ticks) {
    parts.push(line(scale.place(value), head.height, scale.place(value), bottom, 'grid'));
    parts.push(text(scale.place(value), bottom + 17, label, 'soft mid'));
  }
  if (axis.reference !== undefined) {
    parts.push(line(scale.place(axis.reference), head.height, scale.place(axis.reference), bottom, 'axis'));
  }
  list.forEach((row, i) => {
    const y = head.height + (i + 0.5) * ROW;
    parts.push(text(LEFT - 12, y + 4, row.title, 'end'));
    parts.push(...row.dots.map((dot) => draw(dot, y, scale.place, axis.unit)));
  });
  parts.push(text(WIDTH - RIGHT, bottom + 34, axis.unit, 'soft end'));
  return figure(WIDTH, bottom + 42, axis.label, parts);
}

function draw(
  { series, name, value, low, high }: Dot,
  y: number,
  place: (value: number) => number,
  unit: string,
): string {
  const reach =
    low === undefined || high === undefined ? '' : line(place(low), y, place(high), y, `l${series} bar`);
  return reach + mark(place(value), y, series, `f${series}`, `${name}: ${value.toPrecision(3)} ${unit}`);
}
