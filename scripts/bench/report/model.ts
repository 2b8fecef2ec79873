// A report is Markdown with figures.
import type { TopLevelSpec } from 'vega-lite';

export interface Figure {
  /** The name of its SVG file, without the extension. */
  name: string;
  plot: TopLevelSpec;
  caption: string;
}

export interface Section {
  title: string;
  /** Markdown or figures. */
  blocks: (string | Figure)[];
}

export const section = (title: string, ...blocks: (string | Figure)[]): Section => ({ title, blocks });

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
