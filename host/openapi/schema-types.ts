import { escapeHtml, inline, pre, table } from './html.ts';

/** The members of a JSON Schema, or of a reference to one, that the page shows. */
export interface SchemaNode {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  const?: string;
  items?: SchemaNode;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  required?: string[];
  properties?: Record<string, SchemaNode>;
  examples?: unknown[];
}

/** A schema with its properties and examples, as HTML. */
export function schemaSection(name: string, schema: SchemaNode): string {
  const rows = Object.entries(schema.properties ?? {}).map(([key, property]) => [
    `<code>${escapeHtml(key)}</code>${schema.required?.includes(key) ? '' : ' <i>optional</i>'}`,
    typeText(property),
    property.default === undefined ? '' : `<i class="narrow">default</i> ${jsonCode(property.default)}`,
    inline(property.description ?? ''),
  ]);
  const hasDefaults = rows.some((row) => row[2] !== '');
  const columns = ['Name', 'Type', 'Default', 'Description'];
  const shown = (cells: string[]) => cells.filter((_, index) => hasDefaults || index !== 2);
  const examples = (schema.examples ?? []).map((example) => pre(JSON.stringify(example)));
  return `<h3 id="${name}">${escapeHtml(name)}</h3>
${schema.description === undefined ? '' : `<p>${inline(schema.description)}</p>`}
${table(shown(columns), rows.map(shown))}
${examples.length > 0 ? `<p>Examples:</p>\n${examples.join('\n')}` : ''}`;
}

/** A type and its range, as HTML. */
export function typeText(schema: SchemaNode): string {
  if (schema.$ref !== undefined) return link(schema.$ref);
  if (schema.enum !== undefined) return schema.enum.map(jsonCode).join(', ');
  if (schema.const !== undefined) return jsonCode(schema.const);
  if (schema.items !== undefined) return `array of ${typeText(schema.items)}`;
  const { minimum, maximum, type = 'any', format } = schema;
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum}–${maximum}`;
  if (minimum !== undefined) return `${type}, at least ${minimum}`;
  return format ?? type;
}

/** A reference, as a link to its section of the page. */
function link(reference: string): string {
  const name = escapeHtml(reference.split('/').at(-1) ?? '');
  return `<a href="#${name}">${name}</a>`;
}

function jsonCode(value: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(value))}</code>`;
}
