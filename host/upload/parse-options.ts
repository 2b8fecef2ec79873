import { type Options, validateOptions } from 'tracesmith-wasm';
import { invalidConfig } from '../errors/details.ts';
import { type ConfigError, problem } from '../errors/problem.ts';

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
  throw problem('config_no_object');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw problem('config_no_json');
  }
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
