import { type Options, validateOptions } from 'tracesmith-wasm';
import { Problem } from './problem.ts';

/** The options in the text of a `config` part. An unknown key is refused: a typo must not silently give a default. */
export function readConfig(text: string): Options {
  const value = parseObject(text);
  const errors = validateOptions(value);
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
