// A report before it is written in any format.
import type { TopLevelSpec } from 'vega-lite';

export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'list'; items: string[] }
  | { type: 'table'; head: string[]; rows: string[][] }
  | { type: 'figure'; name: string; plot: TopLevelSpec; caption: string };

export interface Section {
  title: string;
  blocks: Block[];
}

export interface Report {
  title: string;
  sections: Section[];
}

export const paragraph = (text: string): Block => ({ type: 'paragraph', text });
export const list = (items: string[]): Block => ({ type: 'list', items });
/** The first column names the row; the others are figures. */
export const table = (head: string[], rows: string[][]): Block => ({ type: 'table', head, rows });
/** `name` is the file's name without its extension. */
export const figure = (name: string, plot: TopLevelSpec, caption: string): Block => ({
  type: 'figure',
  name,
  plot,
  caption,
});
