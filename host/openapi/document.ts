import type { Settings } from '../config/settings.ts';
import { JSON_TYPE } from '../http/content-negotiation.ts';
import { HEADERS } from './headers.ts';
import { healthResponses, OTHER_PATH_CODES, problemResponse, vectorizeResponses } from './responses.ts';
import { ref, schemas } from './schemas.ts';

const INTRODUCTION = `Converts raster images to SVG.

Every error is a problem document (RFC 9457) with a \`code\`. Paths that are not listed here return 404 \`not_found\`; other
methods return 405 \`method_not_allowed\` with \`Allow\`. Within \`v1\`, new optional options and new response fields may be
added; existing ones keep their meaning and are not removed.`;

/** docs/api.md has the same sentence; a test compares them. */
export const CHECK_ORDER =
  'The service checks, in this order: path and method, API key, concurrency limit, rate limit, `Accept`, ' +
  '`Content-Type` and `Content-Length`, memory for the body, the body and its config, image format, dimensions, queue.';

const VECTORIZE = `Send the image as the part \`file\` and, optionally, options as the part \`config\`. The response is
JSON, or the SVG itself with \`Accept: image/svg+xml\`.

${CHECK_ORDER} It sends an error as soon as a check fails, even while the client is still sending the body.`;

const CURL = `curl "$BASE_URL/v1/vectorize" -H "Authorization: Bearer $API_KEY" \\
  -F file=@image.png -F 'config={"mode": "polygon"}'`;

/** The OpenAPI 3.1 document of a service with these settings. */
export function openapiDocument(settings: Settings) {
  return {
    openapi: '3.1.0',
    info: {
      title: 'tracesmith',
      version: '1',
      description: INTRODUCTION,
      license: { name: 'MIT OR Apache-2.0', identifier: 'MIT OR Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'vectorize' },
      { name: 'health', description: 'For load balancers. No API key is needed.' },
    ],
    paths: {
      '/v1/vectorize': { post: vectorizeOperation(settings) },
      '/livez': { get: health('live', 'Check whether the process is running', { 200: 'ok' }, settings) },
      '/readyz': {
        get: health(
          'ready',
          'Check whether the service accepts requests',
          { 200: 'ok', 503: 'draining' },
          settings,
        ),
      },
    },
    components: {
      schemas: schemas(settings),
      headers: HEADERS,
      responses: Object.fromEntries(
        OTHER_PATH_CODES.map((code) => [code, problemResponse([code], settings)]),
      ),
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
    summary: 'Convert an image to SVG',
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
    'An id for the request, returned and logged: 1 to 64 characters of `A–Z a–z 0–9 _ -`. An invalid id is replaced by a random one.',
  schema: { type: 'string' },
};

function health(
  operationId: string,
  summary: string,
  statusWords: Record<number, string>,
  settings: Settings,
) {
  return {
    tags: ['health'],
    operationId,
    summary,
    security: [],
    responses: healthResponses(settings, statusWords),
  };
}
