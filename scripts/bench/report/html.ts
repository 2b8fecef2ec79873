import { marked } from 'marked';
import { PLOT_COLORS } from '../plot/palette.ts';

const STYLE = `:root{${PLOT_COLORS}}
*{box-sizing:border-box}body{margin:0 auto;padding:24px 16px 64px;max-width:1040px;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:28px;line-height:1.2}h2{margin:48px 0 12px;padding-top:12px;border-top:1px solid var(--line);font-size:21px}
.wide{overflow-x:auto;margin:16px 0}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);white-space:nowrap}th{position:sticky;top:0;background:var(--tint);font-weight:600}
th:first-child{text-align:left}tr:hover td{background:var(--tint)}
figure{margin:20px 0}figure .wide{margin:0}figure svg{display:block;min-width:640px;width:100%;height:auto}figcaption{color:var(--soft);font-size:14px}`;

/** A part of the page that scrolls if it is too wide. */
const wide = (label: string, content: string) =>
  `<div class="wide" tabindex="0" role="group" aria-label="${label}">${content}</div>`;

export function markdownHtml(markdown: string): string {
  const html = marked.parse(markdown, { async: false });
  return html.replace(/<table>.*<\/table>/s, (table) => wide('Table', table));
}

export function figureHtml(svg: string, caption: string): string {
  return `<figure>${wide(caption, svg)}<figcaption>${caption}</figcaption></figure>\n`;
}

/** A self-contained page. */
export function page(title: string, body: string): string {
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head>
<body>
${body}</body></html>
`;
}
