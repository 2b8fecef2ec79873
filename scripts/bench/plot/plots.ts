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
  /** Its position on the horizontal axis of a panel. */
  x?: number;
  /** The interval that the value lies in. */
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

const ROW = { field: 'group', type: 'nominal', sort: null, title: null } as const;
const LOG = { type: 'log', nice: false, padding: 12 } as const;

/** Curves over a logarithmic axis, a panel for each group; all panels share their axes. */
export function panels(points: Point[], x: string, y: Axis): TopLevelSpec {
  const log = { type: 'quantitative', scale: { type: 'log' } } as const;
  return spec(points, {
    columns: 2,
    facet: ROW,
    spec: {
      width: WIDTH / 2,
      height: 170,
      mark: { type: 'line', point: { size: 40, filled: true } },
      encoding: {
        x: { field: 'x', ...log, axis: { grid: false, title: x } },
        y: { field: 'value', ...log, title: y.title },
        ...seriesEncoding(points, y.series),
      },
    },
  });
}

/** Marks along one axis, a row for each group. */
export function rows(points: Point[], { title, series: all, isLog = false, reference }: Axis): TopLevelSpec {
  const series = seriesEncoding(points, all);
  const interval = {
    transform: [{ filter: 'isValid(datum.low)' }],
    mark: { type: 'rule', strokeWidth: 2.4 },
    encoding: {
      x: { field: 'low', type: 'quantitative' },
      x2: { field: 'high' },
      y: ROW,
      color: series.color,
    },
  };
  const x = { field: 'value', type: 'quantitative', scale: isLog ? LOG : { zero: false }, title };
  const value = {
    mark: { type: 'point', filled: true, size: 60, opacity: 1 },
    encoding: { x, y: ROW, ...series },
  };
  const line = { mark: 'rule', encoding: { x: { datum: reference, type: 'quantitative' } } };
  const layer = [...(reference === undefined ? [] : [line]), interval, value];
  return spec(points, { width: WIDTH, height: { step: 30 }, layer });
}

/** Horizontal bars of parts that add up to a whole. */
export function bars(points: Point[], title: string): TopLevelSpec {
  const x = { field: 'value', type: 'quantitative', title };
  return spec(points, {
    width: WIDTH,
    height: { step: 26 },
    mark: { type: 'bar', stroke: 'var(--paper)' },
    encoding: { x, y: ROW, color: seriesEncoding(points).color },
  });
}

/** Series differ in color and in shape, for readers who cannot tell the colors apart. */
function seriesEncoding(points: Point[], all?: string[]) {
  const present = [...new Set(points.map(({ series }) => series))];
  const domain = all ?? present;
  const legend = present.length > 1 ? { values: domain.filter((name) => present.includes(name)) } : null;
  const channel = { ...ROW, field: 'series', legend };
  return {
    color: { ...channel, scale: { domain, range: SERIES_COLORS } },
    shape: { ...channel, scale: { domain } },
    tooltip: [{ field: 'series' }, { field: 'group' }, { field: 'value', format: '.3~s' }],
  };
}

function spec(points: Point[], content: object): TopLevelSpec {
  const label = { labelColor: 'var(--soft)', titleColor: 'var(--ink)', labelLimit: 0 };
  return {
    $schema: 'https://vega.github.io/schema/vega-lite/v6.json',
    background: 'transparent',
    data: { values: points },
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
