// A report is Markdown with figures.
import type { TopLevelSpec } from 'vega-lite';
import type { Ratio } from '../core/statistics.ts';

export interface Figure {
  /** The name of its SVG file, without the extension. */
  name: string;
  plot: TopLevelSpec;
  caption: string;
}

/** Markdown or a figure. */
export type Block = string | Figure;

export const figure = (name: string, plot: TopLevelSpec, caption: string): Figure => ({
  name,
  plot,
  caption,
});

export const list = (items: string[]): string => items.map((item) => `- ${item}`).join('\n');

/** The first column holds the names of the rows, the others numbers. */
export function table(head: string[], rows: string[][]): string {
  const line = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

export const NONE = '–';

/** Three significant digits, without an exponent. */
export function digits(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return NONE;
  if (value === 0) return '0';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

export const fixed = (value: number | undefined, places: number) => value?.toFixed(places) ?? NONE;

/** A ratio with its interval. */
export function ratioWords(value: Ratio | undefined): string {
  if (value === undefined) return NONE;
  const [low, high] = [digits(value.low), digits(value.high)];
  return low === high ? digits(value.value) : `${digits(value.value)} (${low}–${high})`;
}

export const megapixels = ({ width, height }: { width: number; height: number }) => (width * height) / 1e6;
