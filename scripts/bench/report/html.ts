import { PLOT_COLORS } from '../plot/palette.ts';
import type { Block, Report, Section } from './model.ts';

const STYLE = `:root{color-scheme:light dark;${PLOT_COLORS.light}}
@media (prefers-color-scheme:dark){:root{${PLOT_COLORS.dark}}}
*{box-sizing:border-box}body{margin:0 auto;padding:24px 16px 64px;max-width:1040px;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:28px;line-height:1.2}h2{margin:48px 0 12px;padding-top:12px;border-top:1px solid var(--line);font-size:21px}
nav{columns:2;font-size:15px}nav a,p a{color:var(--accent)}nav ul{margin:0;padding-left:20px}
.wide{overflow-x:auto;margin:16px 0}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);text-align:right;white-space:nowrap}th{position:sticky;top:0;background:var(--tint);font-weight:600}
th:first-child,td:first-child{text-align:left}tr:hover td{background:var(--tint)}
figure{margin:20px 0}figure .wide{margin:0}figure svg{display:block;min-width:640px;width:100%;height:auto}figcaption{color:var(--soft);font-size:14px}
@media (max-width:600px){nav{columns:1}h1{font-size:24px}}`;

/** A self-contained page; `drawings` holds the SVG of each figure. */
export function toHtml({ title, sections }: Report, drawings: Map<string, string>): string {
  const links = sections.map(
    (section) => `<li><a href="#${anchor(section)}">${escape_(section.title)}</a></li>`,
  );
  const parts = sections.map(
    (section) =>
      `<h2 id="${anchor(section)}">${escape_(section.title)}</h2>${section.blocks.map((one) => block(one, drawings)).join('\n')}`,
  );
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><title>${escape_(title)}</title><style>${STYLE}</style></head>
<body><h1>${escape_(title)}</h1><nav aria-label="Sections"><ul>${links.join('')}</ul></nav>
${parts.join('\n')}
</body></html>
`;
}

const anchor = ({ title }: Section) => title.toLowerCase().replace(/\W+/g, '-');

const escape_ = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

function block(one: Block, drawings: Map<string, string>): string {
  if (one.type === 'paragraph') return `<p>${escape_(one.text)}</p>`;
  if (one.type === 'list') return `<ul>${one.items.map((item) => `<li>${escape_(item)}</li>`).join('')}</ul>`;
  if (one.type === 'figure') {
    const caption = escape_(one.caption);
    return `<figure><div class="wide" tabindex="0" role="group" aria-label="${caption}">${drawings.get(one.name)}</div><figcaption>${caption}</figcaption></figure>`;
  }
  const row = (cells: string[], tag: string) =>
    `<tr>${cells.map((cell) => `<${tag}>${escape_(cell)}</${tag}>`).join('')}</tr>`;
  const head = one.head.map((cell) => `<th scope="col">${escape_(cell)}</th>`).join('');
  const body = one.rows.map((cells) => row(cells, 'td')).join('');
  return `<div class="wide" tabindex="0" role="group" aria-label="Table: ${escape_(one.head.join(', '))}"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}
