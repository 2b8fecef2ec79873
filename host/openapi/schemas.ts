import { type OptionSpec, optionTable } from 'tracesmith-wasm';
import type { Settings } from '../config/settings.ts';
import { DETAILS } from '../errors/catalog.ts';

/** A JSON Schema. */
export type Schema = Record<string, unknown>;

/** A reference to a component of the document. */
export const ref = (section: string, name: string) => ({ $ref: `#/components/${section}/${name}` });

/** The schemas of requests and responses. Those of the options are generated from the table that validates them. */
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
    description: `The image: PNG, JPEG, WebP, GIF or BMP, at most ${maxFileBytes} bytes. Its format is detected from its content; its filename, which is required, and its declared type are ignored.`,
  };
  const config = {
    ...ref('schemas', 'Options'),
    description: `A JSON object with options, sent as text or as a file, at most ${maxConfigBytes} bytes. Omitted options have their defaults.`,
  };
  return { type: 'object', required: ['file'], properties: { file, config }, additionalProperties: false };
}

function optionsSchema(): Schema {
  return {
    type: 'object',
    description:
      'Options of the conversion. Unknown keys, wrong types and values out of range are rejected. New optional keys may be added.',
    properties: Object.fromEntries(optionTable.map((row) => [row.name, optionSchema(row)])),
    additionalProperties: false,
    examples: [
      { mode: 'polygon', filterSpeckle: 8 },
      { colorMode: 'binary', cornerThreshold: 45, lengthThreshold: 3.5 },
    ],
  };
}

function optionSchema(row: OptionSpec): Schema {
  const { default: defaultValue, meaning } = row;
  if (row.type === 'choice')
    return { type: 'string', enum: row.choices, default: defaultValue, description: meaning };
  if (row.type === 'flag') return { type: 'boolean', default: defaultValue, description: meaning };
  const { min, max, unit } = row;
  const description = `${meaning} In ${unit}.`;
  return { type: 'number', minimum: min, maximum: max, default: defaultValue, description };
}

const DRAWING: Schema = {
  type: 'object',
  required: ['svg', 'processingTime'],
  properties: {
    svg: {
      type: 'string',
      contentMediaType: 'image/svg+xml',
      description:
        'The SVG document; its `viewBox`, `width` and `height` are the size of the image in pixels. The shapes are `<path>` elements, with `gradients` also `<linearGradient>` and `<radialGradient>` in `<defs>`, and `<use>` for a path in a `<g>` that is painted again.',
    },
    processingTime: {
      type: 'number',
      minimum: 0,
      description: 'Milliseconds spent decoding and tracing the image, without the upload and the queue.',
    },
  },
};

const HEALTH: Schema = {
  type: 'object',
  required: ['status'],
  properties: { status: { type: 'string', examples: ['ok', 'degraded', 'draining', 'store_unavailable'] } },
};

const CONFIG_ERROR: Schema = {
  type: 'object',
  required: ['pointer', 'detail'],
  properties: {
    pointer: { type: 'string', description: 'JSON pointer (RFC 6901) to the option.' },
    detail: { type: 'string', description: 'What is wrong with it.' },
  },
};

const limit = (description: string) => ({ type: 'integer', description });

const PROBLEM: Schema = {
  type: 'object',
  description:
    'An error (RFC 9457). `code` is stable and meant for programs; `detail` is meant for people and may change. New codes may be added.',
  required: ['type', 'title', 'status', 'detail', 'code', 'requestId'],
  properties: {
    type: { type: 'string', const: 'about:blank' },
    title: { type: 'string', description: 'The standard phrase of the status.' },
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: { type: 'string' },
    code: { type: 'string', pattern: '^[a-z_]+$' },
    requestId: { type: 'string', pattern: '^[\\w-]{1,64}$', description: 'The value of `X-Request-Id`.' },
    errors: {
      type: 'array',
      items: ref('schemas', 'ConfigError'),
      description: 'With `invalid_config`: the errors in the config, at most 20.',
    },
    maxBytes: limit('With `payload_too_large` and `config_too_large`: the size limit.'),
    maxPixels: limit('With `image_too_large`: the maximum number of pixels.'),
    maxSide: limit('With `image_too_large`: the maximum width and height, in pixels.'),
  },
  examples: [
    {
      type: 'about:blank',
      title: 'Not Acceptable',
      status: 406,
      detail: DETAILS.not_acceptable[1],
      code: 'not_acceptable',
      requestId: '686c6429-2b46-4385-be48-04023154cc0d',
    },
  ],
};
