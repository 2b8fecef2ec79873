// Bars of parts that come to a whole.
import { legend } from './panels.ts';
import { linearScale } from './scale.ts';
import { figure, line, rect, text } from './svg.ts';

export interface Bar {
  title: string;
  /** In the order of the names. */
  parts: number[];
}

const WIDTH = 820;
const LEFT = 190;
const RIGHT = 24;
const ROW = 26;

export function bars(list: Bar[], names: string[], axis: { label: string; unit: string }): string {
  const head = legend(
    names.map((name, series) => ({ series, name })),
    WIDTH,
  );
  const totals = list.map(({ parts }) => parts.reduce((sum, part) => sum + part, 0));
  const scale = linearScale(totals, LEFT, WIDTH - RIGHT, 0);
  const bottom = head.height + list.length * ROW;
  const drawn = [...head.parts];
  for (const { value, label } of scale.ticks) {
    drawn.push(line(scale.place(value), head.height, scale.place(value), bottom, 'grid'));
    drawn.push(text(scale.place(value), bottom + 17, label, 'soft mid'));
  }
  list.forEach(({ title, parts }, i) => {
    const y = head.height + i * ROW;
    drawn.push(text(LEFT - 12, y + 17, title, 'end'));
    let from = 0;
    parts.forEach((part, series) => {
      const [x, end] = [scale.place(from), scale.place(from + part)];
      const said = `${title}, ${names[series]}: ${part.toPrecision(3)} ${axis.unit}`;
      drawn.push(rect({ x, y: y + 4, width: end - x, height: ROW - 8 }, `f${series}`, said));
      from += part;
    });
  });
  drawn.push(text(WIDTH - RIGHT, bottom + 34, axis.unit, 'soft end'));
  return figure(WIDTH, bottom + 42, axis.label, drawn);
}
