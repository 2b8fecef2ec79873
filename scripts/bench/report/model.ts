// A report before it is written in any format.
export type Block =
  | { type: 'paragraph'; text: string }
  | { type: 'list'; items: string[] }
  | { type: 'table'; head: string[]; rows: string[][] }
  | { type: 'figure'; name: string; svg: string; caption: string };

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
export const figure = (name: string, svg: string, caption: string): Block => ({
  type: 'figure',
  name,
  svg,
  caption,
});
