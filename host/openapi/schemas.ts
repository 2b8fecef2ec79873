import { type OptionSpec, optionTable } from 'tracesmith-wasm';
import type { Settings } from '../config/settings.ts';

/** A JSON Schema, as far as it is used here. */
export type Schema = Record<string, unknown>;

export const ref = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` });

/** The shapes of what goes in and comes out. The options are the engine's own table, as is their check. */
export function schemas(settings: Settings): Record<string, Schema> {
  return {
    VectorizeRequest: requestSchema(settings),
    Options: optionsSchema(),
    Drawing: DRAWING,
    Health: HEALTH,
    Problem: PROBLEM,
    ConfigError: CONFIG_ERROR,
  };
}

function requestSchema({ maxFileBytes, maxConfigBytes }: Settings): Schema {
  const file = {
    type: 'string',
    format: 'binary',
    contentMediaType: 'application/octet-stream',
    minLength: 1,
    description: `The image: PNG, JPEG, WebP, GIF or BMP, told by its content, at most ${maxFileBytes} bytes. Send it as a file part: with a filename, of whatever name and type.`,
  };
  const config = {
    ...ref('schemas', 'Options'),
    description: `A JSON object of options, as text or as a file part, at most ${maxConfigBytes} bytes. Each option left out has its default.`,
  };
  return { type: 'object', required: ['file'], properties: { file, config }, additionalProperties: false };
}

function optionsSchema(): Schema {
  return {
    type: 'object',
    description:
      'What tunes the conversion. An unknown key, a wrong type and a value out of range are refused; further keys may be added over time, all optional.',
    properties: Object.fromEntries(optionTable.map((row) => [row.name, optionSchema(row)])),
    additionalProperties: false,
    examples: [
      { mode: 'polygon', filterSpeckle: 8 },
      { colorMode: 'binary', cornerThreshold: 45, lengthThreshold: 3.5 },
    ],
  };
}

function optionSchema(row: OptionSpec): Schema {
  const { default: fallback, meaning } = row;
  if (row.type === 'choice')
    return { type: 'string', enum: row.choices, default: fallback, description: meaning };
  const { min, max, unit } = row;
  const description = `${meaning} In ${unit}.`;
  return { type: 'number', minimum: min, maximum: max, default: fallback, description };
}

const DRAWING: Schema = {
  type: 'object',
  required: ['svg', 'processingTime'],
  properties: {
    svg: {
      type: 'string',
      contentMediaType: 'image/svg+xml',
      description: 'The SVG document; its `viewBox`, `width` and `height` are the picture’s size in pixels.',
    },
    processingTime: {
      type: 'number',
      minimum: 0,
      description:
        'Milliseconds spent decoding and tracing this image; receiving and waiting are not counted.',
    },
  },
};

const HEALTH: Schema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', examples: ['ok', 'draining'] } },
};

const CONFIG_ERROR: Schema = {
  type: 'object',
  required: ['pointer', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'Where in the config, as a JSON pointer (RFC 6901).' },
    detail: { type: 'string', description: 'What is wrong there.' },
  },
};

const limit = (description: string) => ({ type: 'integer', description });

const PROBLEM: Schema = {
  type: 'object',
  description:
    'A failure, as RFC 9457 has it. `code` is stable and meant for programs, `detail` is for people and may change. Codes may be added.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', const: 'about:blank' },
    title: { type: 'string', description: 'The status in words.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    code: { type: 'string', pattern: '^[a-z_]+$' },
    requestId: { type: 'string', pattern: '^[\\w-]{1,64}$', description: 'As in `X-Request-Id`.' },
    errors: {
      type: 'array',
      items: ref('schemas', 'ConfigError'),
      description: 'With `invalid_config`: everything wrong in the config.',
    },
    maxBytes: limit('With `payload_too_large` and `config_too_large`.'),
    maxPixels: limit('With `image_too_large`: most pixels of an image.'),
    maxSide: limit('With `image_too_large`: longest side, in pixels.'),
  },
  examples: [
    {
      type: 'about:blank',
      title: 'Not Acceptable',
      status: 406,
      detail: 'The answer can be application/json or image/svg+xml.',
      code: 'not_acceptable',
      requestId: '686c6429-2b46-4385-be48-04023154cc0d',
    },
  ],
};
