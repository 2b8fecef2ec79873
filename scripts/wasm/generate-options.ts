// Generates the TypeScript types of the options from the engine's table.
interface Row {
  name: string;
  type: 'choice' | 'number' | 'flag';
  choices?: string[];
  min?: number;
  max?: number;
  default: number | string | boolean;
  unit?: string;
  meaning: string;
}

export function optionsSource(table: Row[]): string {
  return `// Generated from the engine's option table by \`npm run build\`. Do not edit.

/** The options of a trace. All are optional. */
export interface Options {
${table.map(property).join('\n')}
}

/** The name, type, range, default and meaning of an option. */
export type OptionSpec =
  | { name: string; type: 'choice'; choices: readonly string[]; default: string; meaning: string }
  | { name: string; type: 'number'; min: number; max: number; default: number; unit: string; meaning: string }
  | { name: string; type: 'flag'; default: boolean; meaning: string };

/** All options, in the order of the documentation. */
export const optionTable: readonly OptionSpec[] = [
${table.map(entry).join('\n')}
];
`;
}

const TYPES = { number: 'number', flag: 'boolean' };

function property(row: Row): string {
  const type = row.type === 'choice' ? row.choices?.map(quote).join(' | ') : TYPES[row.type];
  const range = row.type === 'number' ? ` ${row.min} to ${row.max} ${row.unit}.` : '';
  return `  /** ${row.meaning}${range} Default: ${row.default}. */\n  ${row.name}?: ${type};`;
}

function entry(row: Row): string {
  const fields = Object.entries(row).map(([key, value]) => `    ${key}: ${literal(value)},`);
  return `  {\n${fields.join('\n')}\n  },`;
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(quote).join(', ')}]`;
  return typeof value === 'string' ? quote(value) : String(value);
}

function quote(text: string): string {
  const double = JSON.stringify(text);
  if (text.includes("'")) return double;
  return `'${double.slice(1, -1).replaceAll('\\"', '"')}'`;
}
