import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../core/results.ts';
import { standalone } from '../plot/palette.ts';
import { toSvg } from '../plot/plots.ts';
import { toHtml } from './html.ts';
import { toMarkdown } from './markdown.ts';
import type { Report } from './model.ts';

/** Writes the report as HTML and as Markdown, each figure as an SVG file, and the results as JSON. */
export async function writeReport(report: Report, results: Results, folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const drawings = new Map<string, string>();
  for (const block of report.sections.flatMap(({ blocks }) => blocks)) {
    if (block.type !== 'figure') continue;
    const svg = await toSvg(block.plot);
    drawings.set(block.name, svg);
    writeFileSync(join(folder, `${block.name}.svg`), standalone(svg));
  }
  writeFileSync(join(folder, 'report.html'), toHtml(report, drawings));
  writeFileSync(join(folder, 'report.md'), toMarkdown(report));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
}
