import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { openapi } from './document.ts';
import { escapeHtml, inline, markdown, pre, table } from './html.ts';
import { type Shape, shapeSection, typeOf } from './schema-types.ts';

const STYLE = ['../styles/palette.css', './docs-page.css']
  .map((path) => readFileSync(new URL(path, import.meta.url), 'utf8'))
  .join('');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page may use its own style and nothing else: no script, no picture, no address. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Media {
  schema: Shape;
  example?: unknown;
  examples?: Record<string, { summary: string; value: { status: number } }>;
}

interface Response {
  description: string;
  headers: Record<string, unknown>;
  content: Record<string, Media>;
}

interface Operation {
  summary: string;
  description?: string;
  security: object[];
  parameters?: { name: string; description: string; schema: Shape }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  'x-codeSamples'?: { lang: string; source: string }[];
}

/** The OpenAPI document as a page for people. */
export function page({ info, paths, components }: ReturnType<typeof openapi>): string {
  const operations = Object.entries(paths as unknown as Record<string, Record<string, Operation>>).flatMap(
    ([path, item]) => Object.entries(item).map(([method, operation]) => section(method, path, operation)),
  );
  const shapes = Object.entries(components.schemas).map(([name, shape]) =>
    shapeSection(name, shape as Shape),
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(info.title)} ${escapeHtml(info.version)}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>${escapeHtml(info.title)} <small>interface, version ${escapeHtml(info.version)}</small></h1>
${markdown(info.description)}
<p>For programs: <a href="/openapi.json">the same as OpenAPI 3.1</a>.</p>
${operations.join('\n')}
<h2 id="elsewhere">Anywhere else</h2>
${answers(components.responses as unknown as Record<string, Response>)}
<h2 id="shapes">Shapes</h2>
${shapes.join('\n')}
<h2 id="headers">Headers of answers</h2>
${headers(components.headers)}
</main>
</body>
</html>
`;
}

function section(method: string, path: string, operation: Operation): string {
  const needsKey = operation.security.length > 0;
  const samples = operation['x-codeSamples'] ?? [];
  return `<h2 id="${escapeHtml(method + path)}"><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</h2>
<p><strong>${inline(operation.summary)}.</strong> ${needsKey ? '<code>Authorization: Bearer &lt;API_KEY&gt;</code>' : 'Needs no key.'}</p>
${markdown(operation.description ?? '')}
${samples.map(({ source }) => pre(source)).join('\n')}
${request(operation)}
<h3>Answers</h3>
${answers(operation.responses)}`;
}

function request({ parameters = [], requestBody }: Operation): string {
  const rows = parameters.map(({ name, description, schema }) => [
    `<code>${escapeHtml(name)}</code>`,
    typeOf(schema),
    inline(description),
  ]);
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
    'body',
    typeOf(schema),
    `<code>${escapeHtml(type)}</code>`,
  ]);
  const all = [...bodies, ...rows];
  return all.length === 0 ? '' : `<h3>Request</h3>\n${table(['Where', 'Type', 'Meaning'], all)}`;
}

function answers(responses: Record<string, Response>): string {
  const rows = Object.entries(responses).flatMap(([status, { description, content }]) =>
    Object.entries(content).flatMap(([type, { schema, examples }]) => {
      const what = `<code>${escapeHtml(type)}</code> ${typeOf(schema)}`;
      if (examples === undefined) return [[escapeHtml(status), inline(description), what]];
      return Object.entries(examples).map(([code, { summary, value }]) => [
        String(value.status),
        `<code>${escapeHtml(code)}</code>`,
        inline(summary),
      ]);
    }),
  );
  return table(['Status', 'Code', 'Meaning'], rows);
}

function headers(all: Record<string, { description: string; schema: object }>): string {
  const rows = Object.entries(all).map(([name, { description, schema }]) => [
    `<code id="${name}">${escapeHtml(name)}</code>`,
    typeOf(schema as Shape),
    inline(description),
  ]);
  return table(['Header', 'Type', 'Meaning'], rows);
}
