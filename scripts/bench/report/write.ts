import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../core/results.ts';
import { standalone } from '../plot/palette.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from './model.ts';

/** Writes a report as a page, as Markdown with its figures in files, and what it was made from. */
export function writeReport(report: Report, results: Results, folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'report.html'), toHtml(report));
  writeFileSync(join(folder, 'report.md'), toMarkdown(report));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
  for (const block of report.sections.flatMap(({ blocks }) => blocks)) {
    if (block.type === 'figure') writeFileSync(join(folder, `${block.name}.svg`), standalone(block.svg));
  }
}
