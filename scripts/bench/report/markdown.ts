import type { Block, Report } from './model.ts';

/** Markdown; its figures are files beside it. */
export function toMarkdown({ title, sections }: Report): string {
  const parts = sections.map((section) => `## ${section.title}\n\n${section.blocks.map(block).join('\n\n')}`);
  return `# ${title}\n\n${parts.join('\n\n')}\n`;
}

function block(one: Block): string {
  if (one.type === 'paragraph') return one.text;
  if (one.type === 'list') return one.items.map((item) => `- ${item}`).join('\n');
  if (one.type === 'figure') return `![${one.caption}](${one.name}.svg)`;
  const row = (cells: string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const rule = one.head.map((_, i) => (i === 0 ? '---' : '--:'));
  return [row(one.head), row(rule), ...one.rows.map(row)].join('\n');
}
