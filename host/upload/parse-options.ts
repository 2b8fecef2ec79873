import { type Options, validateOptions } from 'tracesmith-wasm';
import { configNoJson, configNoObject, invalidConfig } from '../errors/details.ts';
import type { ConfigError } from '../errors/problem.ts';

/** Parses and checks the text of a `config` part. Throws `invalid_config_json` or `invalid_config` with all errors. */
export function parseOptions(text: string): Options {
  const value = parseObject(text);
  const errors = [...validateOptions(value), ...repeatedKeys(text)];
  if (errors.length > 0) throw invalidConfig(errors);
  return value as Options;
}

function parseObject(text: string): object {
  const value = parseJson(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw configNoObject(kindOf(value));
}

/** The kind of a JSON value that is no object. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'an array';
  if (typeof value === 'string') return 'text';
  return value === null ? 'null' : `a ${typeof value}`;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw configNoJson(reasonOf(error, text));
  }
}

/** Where JSON.parse stopped. Nothing else of its message is used, as that may quote the text. */
function reasonOf(error: unknown, text: string): string | undefined {
  const message = error instanceof Error ? error.message : '';
  if (message === 'Unexpected end of JSON input')
    return text.trim() === '' ? 'it is empty' : 'it ends too early';
  const [, position] = / JSON at position (\d+)(?: \(line \d+ column \d+\))?$/.exec(message) ?? [];
  return position === undefined ? undefined : `the error is at character ${Number(position) + 1}`;
}

/** JSON.parse silently keeps the last value of a repeated key; here it is an error. */
function repeatedKeys(text: string): ConfigError[] {
  const seen = new Set<string>();
  const repeated = new Set(topLevelKeys(text).filter((key) => seen.size === seen.add(key).size));
  return [...repeated].map((key) => ({ pointer: pointerTo(key), detail: 'appears more than once' }));
}

/** The keys of a valid JSON object, in order, including repetitions. */
function topLevelKeys(text: string): string[] {
  const keys: string[] = [];
  let depth = 0;
  for (const [token, string] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (string !== undefined && depth === 1) keys.push(JSON.parse(string));
    else if (token === '{' || token === '[') depth++;
    else if (token === '}' || token === ']') depth--;
  }
  return keys;
}

/** The JSON pointer to a key, as validateOptions writes it: no option accepts null. */
function pointerTo(key: string): string {
  return validateOptions({ [key]: null })[0]?.pointer ?? '';
}
