import { type Options, validateOptions } from 'tracesmith-wasm';
import { type ConfigError, Problem } from '../errors/problem.ts';

/** The options in the text of a `config` part. An unknown key is refused: a typo must not silently give a default. */
export function readConfig(text: string): Options {
  const value = parseObject(text);
  const errors = [...validateOptions(value), ...repeatedKeys(text)];
  if (errors.length === 0) return value as Options;
  const detail = errors.map((error) => `${error.pointer}: ${error.detail}`).join('; ');
  throw new Problem('invalid_config', detail, { members: { errors } });
}

function parseObject(text: string): object {
  const value = parse(text);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new Problem('invalid_config_json', 'The part "config" must be a JSON object.');
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** JSON.parse keeps the last value of a key that comes twice; which one was meant cannot be known. */
function repeatedKeys(text: string): ConfigError[] {
  const seen = new Set<string>();
  const repeated = new Set(topLevelKeys(text).filter((key) => seen.size === seen.add(key).size));
  return [...repeated].map((key) => ({ pointer: `/${escaped(key)}`, detail: 'comes more than once' }));
}

/** The keys of a valid JSON object, in order, repetitions included. */
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

/** As a part of a JSON pointer (RFC 6901). */
function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
