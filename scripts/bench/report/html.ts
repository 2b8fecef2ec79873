import { Marked, Renderer, type Tokens } from 'marked';
import { PLOT_COLORS } from '../plot/palette.ts';

const STYLE = `:root{${PLOT_COLORS}}
*{box-sizing:border-box}body{margin:0 auto;padding:24px 16px 64px;max-width:1040px;font:16px/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
h1{font-size:28px;line-height:1.2}h2{margin:48px 0 12px;padding-top:12px;border-top:1px solid var(--line);font-size:21px}
.wide{overflow-x:auto;margin:16px 0}table{border-collapse:collapse;font-size:14px;font-variant-numeric:tabular-nums}
th,td{padding:4px 10px;border-bottom:1px solid var(--line);white-space:nowrap}th{position:sticky;top:0;background:var(--tint);font-weight:600}
th:first-child{text-align:left}tr:hover td{background:var(--tint)}
figure{margin:20px 0}figure .wide{margin:0}figure svg{display:block;min-width:640px;width:100%;height:auto}figcaption{color:var(--soft);font-size:14px}`;

/** A self-contained page of the report's Markdown; `drawings` holds the SVG of each figure, by its file name. */
export function toHtml(title: string, markdown: string, drawings: Map<string, string>): string {
  const wide = (label: string, content: string) =>
    `<div class="wide" tabindex="0" role="group" aria-label="${label}">${content}</div>`;
  const marked = new Marked();
  const { paragraph, table } = Renderer.prototype;
  marked.use({
    renderer: {
      table(token: Tokens.Table) {
        return wide('Table', table.call(this, token));
      },
      paragraph(token: Tokens.Paragraph) {
        const [image, ...more] = token.tokens;
        if (image?.type !== 'image' || more.length > 0) return paragraph.call(this, token);
        const drawing = wide(image.text, drawings.get(image.href) ?? '');
        return `<figure>${drawing}<figcaption>${image.text}</figcaption></figure>\n`;
      },
    },
  });
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<link rel="icon" href="data:,"><title>${title}</title><style>${STYLE}</style></head>
<body>
${marked.parse(markdown, { async: false })}</body></html>
`;
}
