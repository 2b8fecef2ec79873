import { escapeHtml, inline, pre, table } from './html.ts';

/** The members of a JSON Schema, or of a reference, that the page shows. */
export interface Shape {
  $ref?: string;
  type?: string;
  format?: string;
  enum?: string[];
  const?: string;
  items?: Shape;
  minimum?: number;
  maximum?: number;
  default?: unknown;
  description?: string;
  required?: string[];
  properties?: Record<string, Shape>;
  examples?: unknown[];
}

/** One schema with its properties and examples. */
export function shapeSection(name: string, shape: Shape): string {
  const rows = Object.entries(shape.properties ?? {}).map(([key, property]) => [
    `<code>${escapeHtml(key)}</code>${shape.required?.includes(key) ? '' : ' <i>optional</i>'}`,
    typeOf(property),
    property.default === undefined ? '' : `<i class="narrow">default</i> ${value(property.default)}`,
    inline(property.description ?? ''),
  ]);
  const hasDefaults = rows.some((row) => row[2] !== '');
  const columns = ['Name', 'Type', 'Default', 'Meaning'];
  const shown = (cells: string[]) => cells.filter((_, index) => hasDefaults || index !== 2);
  const examples = (shape.examples ?? []).map((example) => pre(JSON.stringify(example)));
  return `<h3 id="${name}">${escapeHtml(name)}</h3>
${shape.description === undefined ? '' : `<p>${inline(shape.description)}</p>`}
${table(shown(columns), rows.map(shown))}
${examples.length > 0 ? `<p>For example:</p>\n${examples.join('\n')}` : ''}`;
}

/** A type with its range, in words. */
export function typeOf(shape: Shape): string {
  if (shape.$ref !== undefined) return link(shape.$ref);
  if (shape.enum !== undefined) return shape.enum.map(value).join(', ');
  if (shape.const !== undefined) return value(shape.const);
  if (shape.items !== undefined) return `array of ${typeOf(shape.items)}`;
  const { minimum, maximum, type = 'any', format } = shape;
  if (minimum !== undefined && maximum !== undefined) return `${type}, ${minimum}–${maximum}`;
  if (minimum !== undefined) return `${type}, at least ${minimum}`;
  return format ?? type;
}

/** A reference as a link to its place on the page. */
function link(reference: string): string {
  const name = escapeHtml(reference.split('/').at(-1) ?? '');
  return `<a href="#${name}">${name}</a>`;
}

function value(of: unknown): string {
  return `<code>${escapeHtml(JSON.stringify(of))}</code>`;
}
