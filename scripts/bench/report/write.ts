import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../core/results.ts';
import { standalone } from '../plot/palette.ts';
import { toSvg } from '../plot/plots.ts';
import { comparison, type Match } from './comparison.ts';
import { fidelity } from './fidelity.ts';
import { formations } from './formations.ts';
import { figureHtml, markdownHtml, page } from './html.ts';
import { Look } from './look.ts';
import { type Block, list } from './model.ts';
import { requests } from './requests.ts';
import { residuals } from './residuals.ts';
import { curves, everything, summary } from './speed.ts';
import { stages } from './stages.ts';
import { starts } from './starts.ts';

/** A saved engine that took part, and its forms with their present counterparts. */
export interface Compared {
  name: string;
  matches: Match[];
}

/** Writes the report as HTML and as Markdown, each figure as an SVG file, and the results as JSON. */
export async function writeReport(results: Results, folder: string, compared?: Compared): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const title = `tracesmith benchmark, ${results.date.slice(0, 10)}`;
  const markdown: string[] = [];
  const html: string[] = [];
  for (const block of [`# ${title}`, ...blocksOf(results, compared)]) {
    if (typeof block === 'string') {
      markdown.push(block);
      html.push(markdownHtml(block));
    } else {
      const svg = await toSvg(block.plot);
      writeFileSync(join(folder, `${block.name}.svg`), standalone(svg));
      markdown.push(`![${block.caption}](${block.name}.svg)`);
      html.push(figureHtml(svg, block.caption));
    }
  }
  writeFileSync(join(folder, 'report.md'), `${markdown.join('\n\n')}\n`);
  writeFileSync(join(folder, 'report.html'), page(title, html.join('')));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
}

function blocksOf(results: Results, compared?: Compared): Block[] {
  const look = new Look(results);
  const hasEngines = results.measurements.length > 0;
  const hasPeers = hasEngines && results.contenders.some(({ isOurs }) => !isOurs);
  return [
    ...(compared === undefined ? [] : comparison(look, compared.name, compared.matches)),
    ...(hasPeers ? summary(look) : []),
    ...(hasEngines
      ? [...curves(look), ...stages(look), ...fidelity(look), ...residuals(look), ...formations(look)]
      : []),
    ...(results.requests === undefined ? [] : requests(results.requests)),
    ...(results.starts === undefined ? [] : starts(results.starts)),
    ...conditions(results),
    ...(hasEngines ? everything(look) : []),
  ];
}

function conditions({ machine, commit, mode, date, contenders, gaps }: Results): Block[] {
  return [
    '## Conditions',
    `${date}, commit ${commit}, mode ${mode}. ${machine}`,
    'Each engine runs in its own process, with its own defaults, and receives decoded pixels. The engines take turns, a few calls each, in an order that changes every round. Processor time is that of all threads of the process, compilers and garbage collectors included. Memory is the growth of the resident memory of the process during its first call.',
    list(contenders.map(({ name, about }) => `${name}: ${about}`)),
    ...(gaps.length === 0 ? [] : ['Not measured:', list(gaps.map(({ what, why }) => `${what}: ${why}`))]),
  ];
}
