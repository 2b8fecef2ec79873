// The report's plots, as Vega-Lite specifications.
import { parse, View } from 'vega';
import { compile, type TopLevelSpec } from 'vega-lite';
import { SERIES_COLORS } from './palette.ts';

const WIDTH = 620;

/** One value of one series. */
export interface Point {
  series: string;
  value: number;
  /** The row or panel that the value belongs to. */
  group: string;
}

/** A point with its position on the horizontal axis of a panel. */
export interface CurvePoint extends Point {
  x: number;
}

/** A point with the interval it lies in, where that is known. */
export interface RowPoint extends Point {
  low?: number;
  high?: number;
}

export interface Axis {
  title: string;
  /** All series of the report, so that each has the same color in every plot; by default those of the points. */
  series?: string[];
  isLog?: boolean;
  /** A value that gets a line of its own. */
  reference?: number;
}

/** Curves over a logarithmic axis, a panel for each group; all panels share their axes. */
export function panels(points: CurvePoint[], x: string, y: Axis): TopLevelSpec {
  return spec({
    data: { values: points },
    columns: 2,
    facet: { field: 'group', type: 'nominal', sort: null, title: null },
    spec: {
      width: WIDTH / 2,
      height: 170,
      mark: { type: 'line', point: { size: 40, filled: true } },
      encoding: {
        x: { field: 'x', type: 'quantitative', scale: { type: 'log' }, axis: { grid: false, title: x } },
        y: { field: 'value', type: 'quantitative', scale: { type: 'log' }, title: y.title },
        ...seriesEncoding(points, y.series),
      },
    },
  });
}

/** Marks along one axis, a row for each group. */
export function rows(
  points: RowPoint[],
  { title, series: all, isLog = false, reference }: Axis,
): TopLevelSpec {
  const y = { field: 'group', type: 'nominal', sort: null, title: null } as const;
  const scale = isLog ? { type: 'log' as const, nice: false, padding: 12 } : { zero: false };
  const series = seriesEncoding(points, all);
  return spec({
    width: WIDTH,
    height: { step: 30 },
    data: { values: points },
    layer: [
      ...(reference === undefined
        ? []
        : [{ mark: 'rule' as const, encoding: { x: { datum: reference, type: 'quantitative' as const } } }]),
      {
        transform: [{ filter: 'isValid(datum.low)' }],
        mark: { type: 'rule', strokeWidth: 2.4 },
        encoding: {
          x: { field: 'low', type: 'quantitative' },
          x2: { field: 'high' },
          y,
          color: series.color,
        },
      },
      {
        mark: { type: 'point', filled: true, size: 60, opacity: 1 },
        encoding: { x: { field: 'value', type: 'quantitative', scale, title }, y, ...series },
      },
    ],
  });
}

/** Horizontal bars of parts that add up to a whole. */
export function bars(points: Point[], title: string): TopLevelSpec {
  return spec({
    width: WIDTH,
    height: { step: 26 },
    data: { values: points },
    mark: { type: 'bar', stroke: 'var(--paper)' },
    encoding: {
      x: { field: 'value', type: 'quantitative', title },
      y: { field: 'group', type: 'nominal', sort: null, title: null },
      color: seriesEncoding(points).color,
    },
  });
}

/** Series differ in color and in shape, for readers who cannot tell the colors apart. */
function seriesEncoding(points: Point[], all?: string[]) {
  const present = [...new Set(points.map(({ series }) => series))];
  const domain = all ?? present;
  const legend = present.length > 1 ? { values: domain.filter((name) => present.includes(name)) } : null;
  const channel = { field: 'series', type: 'nominal', sort: null, title: null, legend } as const;
  return {
    color: { ...channel, scale: { domain, range: SERIES_COLORS } },
    shape: { ...channel, scale: { domain } },
    tooltip: [{ field: 'series' }, { field: 'group' }, { field: 'value', format: '.3~s' }],
  } as const;
}

function spec(content: object): TopLevelSpec {
  const label = { labelColor: 'var(--soft)', titleColor: 'var(--ink)' };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'transparent',
    config: {
      font: 'system-ui, sans-serif',
      axis: { ...label, gridColor: 'var(--line)', domainColor: 'var(--soft)', tickColor: 'var(--soft)' },
      header: { labelColor: 'var(--ink)', labelFontWeight: 'bold' },
      legend: { labelColor: 'var(--ink)', labelLimit: 0, orient: 'top', columns: 4 },
      rule: { color: 'var(--soft)' },
      view: { stroke: null },
    },
    ...content,
  } as TopLevelSpec;
}

/** The plot as SVG. */
export function toSvg(plot: TopLevelSpec): Promise<string> {
  return new View(parse(compile(plot).spec), { renderer: 'none' }).toSVG();
}
