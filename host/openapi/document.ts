import type { Settings } from '../config/settings.ts';
import { JSON_TYPE } from '../http/content-negotiation.ts';
import { HEADERS } from './headers.ts';
import { ELSEWHERE, healthResponses, problemResponse, vectorizeResponses } from './responses.ts';
import { ref, schemas } from './schemas.ts';

const INTRODUCTION = `Turns a raster image into an SVG drawing.

Every failure is a problem document with a \`code\`. A path that is not listed here is answered 404 \`not_found\`, another
method 405 \`method_not_allowed\` with \`Allow\`. New optional options and new answer fields may appear within \`v1\`; none
will change its meaning or go.`;

const VECTORIZE = `Send the picture as the part \`file\` and, if wanted, options as the part \`config\`. The answer is
JSON, or the SVG itself with \`Accept: image/svg+xml\`.

Checks are made in this order: path and method, key, concurrency, rate, \`Accept\`, \`Content-Type\` and
\`Content-Length\`, room for the body, the body with its config, format, dimensions, queue. A refusal is sent as soon as
it is known, also while the body is still on its way.`;

const CURL = `curl "$BASE_URL/v1/vectorize" -H "Authorization: Bearer $API_KEY" \\
  -F file=@picture.png -F 'config={"mode": "polygon"}'`;

/** The OpenAPI 3.1 document of a service with these settings. */
export function openapi(settings: Settings) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'tracesmith',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT OR Apache-2.0', identifier: 'MIT OR Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [{ name: 'vectorize' }, { name: 'health', description: 'For load balancers; no key is needed.' }],
    paths: {
      '/v1/vectorize': { post: vectorizeOperation(settings) },
      '/livez': { get: health('live', 'Whether the process runs', { 200: 'ok' }, settings) },
      '/readyz': {
        get: health('ready', 'Whether it takes work', { 200: 'ok', 503: 'draining' }, settings),
      },
    },
    components: {
      schemas: schemas(settings),
      headers: HEADERS,
      responses: Object.fromEntries(ELSEWHERE.map((code) => [code, problemResponse([code], settings)])),
      securitySchemes: {
        key: { type: 'http', scheme: 'bearer', bearerFormat: 'ts_live_…', description: 'An API key.' },
      },
    },
  };
}

function vectorizeOperation(settings: Settings) {
  const parts = {
    file: {
      contentType: 'image/png, image/jpeg, image/webp, image/gif, image/bmp, application/octet-stream',
    },
    config: { contentType: JSON_TYPE },
  };
  return {
    tags: ['vectorize'],
    operationId: 'vectorize',
    summary: 'Turn a picture into SVG',
    description: VECTORIZE,
    security: [{ key: [] }],
    'x-codeSamples': [{ lang: 'Shell', source: CURL }],
    parameters: [REQUEST_ID],
    requestBody: {
      required: true,
      content: { 'multipart/form-data': { schema: ref('schemas', 'VectorizeRequest'), encoding: parts } },
    },
    responses: vectorizeResponses(settings),
  };
}

const REQUEST_ID = {
  name: 'X-Request-Id',
  in: 'header',
  description:
    'A name for the request, returned and logged: 1 to 64 of `A–Z a–z 0–9 _ -`. One of another form is replaced.',
  schema: { type: 'string' },
};

function health(operationId: string, summary: string, words: Record<number, string>, settings: Settings) {
  return {
    tags: ['health'],
    operationId,
    summary,
    security: [],
    responses: healthResponses(settings, words),
  };
}
