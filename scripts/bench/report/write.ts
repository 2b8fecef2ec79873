import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Results } from '../core/results.ts';
import { standalone } from '../plot/palette.ts';
import { toSvg } from '../plot/plots.ts';
import { comparison, type Match } from './comparison.ts';
import { fidelity } from './fidelity.ts';
import { toHtml } from './html.ts';
import { Look } from './look.ts';
import { type Block, list } from './model.ts';
import { requests } from './requests.ts';
import { curves, everything, summary } from './speed.ts';
import { stages } from './stages.ts';

/** A saved engine that took part, and its forms with their present counterparts. */
export interface Compared {
  name: string;
  matches: Match[];
}

/** Writes the report as HTML and as Markdown, each figure as an SVG file, and the results as JSON. */
export async function writeReport(results: Results, folder: string, compared?: Compared): Promise<void> {
  const title = `tracesmith benchmark, ${results.date.slice(0, 10)}`;
  const drawings = new Map<string, string>();
  const parts = [`# ${title}`];
  for (const block of blocksOf(results, compared)) {
    if (typeof block === 'string') {
      parts.push(block);
    } else {
      const file = `${block.name}.svg`;
      drawings.set(file, await toSvg(block.plot));
      parts.push(`![${block.caption}](${file})`);
    }
  }
  const markdown = `${parts.join('\n\n')}\n`;
  mkdirSync(folder, { recursive: true });
  for (const [file, svg] of drawings) writeFileSync(join(folder, file), standalone(svg));
  writeFileSync(join(folder, 'report.md'), markdown);
  writeFileSync(join(folder, 'report.html'), toHtml(title, markdown, drawings));
  writeFileSync(join(folder, 'results.json'), JSON.stringify(results));
}

function blocksOf(results: Results, compared?: Compared): Block[] {
  const look = new Look(results);
  const hasEngines = results.measurements.length > 0;
  const hasPeers = hasEngines && results.contenders.some(({ isOurs }) => !isOurs);
  return [
    ...(compared === undefined ? [] : comparison(look, compared.name, compared.matches)),
    ...(hasPeers ? summary(look) : []),
    ...(hasEngines ? [...curves(look), ...stages(look), ...fidelity(look)] : []),
    ...(results.requests === undefined ? [] : requests(results.requests)),
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
