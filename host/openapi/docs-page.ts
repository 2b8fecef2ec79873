import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { HOST_FOLDER } from '#host-folder';
import type { openapiDocument } from './document.ts';
import { escapeHtml, inline, markdown, pre, table } from './html.ts';
import { type SchemaNode, schemaSection, typeText } from './schema-types.ts';

const STYLE = ['styles/theme.css', 'openapi/docs-page.css']
  .map((path) => readFileSync(new URL(path, HOST_FOLDER), 'utf8'))
  .join('');
const STYLE_HASH = createHash('sha256').update(STYLE).digest('base64');

/** The page may use its own style sheet only: no scripts, no images, no requests. */
export const DOCS_PAGE_POLICY = `default-src 'none'; style-src 'sha256-${STYLE_HASH}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

interface Media {
  schema: SchemaNode;
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
  parameters?: { name: string; description: string; schema: SchemaNode }[];
  requestBody?: { content: Record<string, Media> };
  responses: Record<string, Response>;
  'x-codeSamples'?: { lang: string; source: string }[];
}

/** The OpenAPI document as an HTML page. */
export function docsPage({ info, paths, components }: ReturnType<typeof openapiDocument>): string {
  const operations = Object.entries(paths as unknown as Record<string, Record<string, Operation>>).flatMap(
    ([path, item]) => Object.entries(item).map(([method, operation]) => section(method, path, operation)),
  );
  const schemas = Object.entries(components.schemas).map(([name, schema]) =>
    schemaSection(name, schema as SchemaNode),
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
<h1>${escapeHtml(info.title)} <small>API reference, version ${escapeHtml(info.version)}</small></h1>
${markdown(info.description)}
<p>This page as <a href="/openapi.json">OpenAPI 3.1</a>.</p>
${operations.join('\n')}
<h2 id="other-paths">Other paths and methods</h2>
${responseTable(components.responses as unknown as Record<string, Response>)}
<h2 id="schemas">Schemas</h2>
${schemas.join('\n')}
<h2 id="headers">Response headers</h2>
${headerTable(components.headers)}
</main>
</body>
</html>
`;
}

function section(method: string, path: string, operation: Operation): string {
  const needsKey = operation.security.length > 0;
  const samples = operation['x-codeSamples'] ?? [];
  return `<h2 id="${escapeHtml(method + path)}"><span class="method">${method.toUpperCase()}</span> ${escapeHtml(path)}</h2>
<p><strong>${inline(operation.summary)}.</strong> ${needsKey ? '<code>Authorization: Bearer &lt;API_KEY&gt;</code>' : 'Needs no API key.'}</p>
${markdown(operation.description ?? '')}
${samples.map(({ source }) => pre(source)).join('\n')}
${requestTable(operation)}
<h3>Responses</h3>
${responseTable(operation.responses)}`;
}

function requestTable({ parameters = [], requestBody }: Operation): string {
  const rows = parameters.map(({ name, description, schema }) => [
    `<code>${escapeHtml(name)}</code>`,
    typeText(schema),
    inline(description),
  ]);
  const bodies = Object.entries(requestBody?.content ?? {}).map(([type, { schema }]) => [
    'body',
    typeText(schema),
    `<code>${escapeHtml(type)}</code>`,
  ]);
  return bodies.length + rows.length === 0
    ? ''
    : `<h3>Request</h3>\n${table(['Where', 'Type', 'Description'], [...bodies, ...rows])}`;
}

function responseTable(responses: Record<string, Response>): string {
  const rows = Object.entries(responses).flatMap(([status, { description, content }]) =>
    Object.entries(content).flatMap(([type, { schema, examples }]) => {
      const content = `<code>${escapeHtml(type)}</code> ${typeText(schema)}`;
      if (examples === undefined) return [[escapeHtml(status), inline(description), content]];
      return Object.entries(examples).map(([code, { summary, value }]) => [
        String(value.status),
        `<code>${escapeHtml(code)}</code>`,
        inline(summary),
      ]);
    }),
  );
  return table(['Status', 'Code', 'Description'], rows);
}

function headerTable(headers: Record<string, { description: string; schema: object }>): string {
  const rows = Object.entries(headers).map(([name, { description, schema }]) => [
    `<code id="${name}">${escapeHtml(name)}</code>`,
    typeText(schema as SchemaNode),
    inline(description),
  ]);
  return table(['Header', 'Type', 'Description'], rows);
}
