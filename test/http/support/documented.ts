import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import { readSettings } from '../../../host/config/settings.ts';
import { openapiDocument } from '../../../host/openapi/document.ts';
import { SITE_PATHS } from '../../../host/site/files.ts';
import type { ServiceResponse } from '../service.ts';

/** The OpenAPI document, with the settings of the environment. */
export const reference = openapiDocument(readSettings());

interface Content {
  examples?: Record<string, unknown>;
}
interface Response {
  headers: Record<string, { $ref: string }>;
  content: Record<string, Content>;
}
type Operation = { responses: Record<string, Response> };

const paths = reference.paths as Record<string, Record<string, Operation>>;
const elsewhere = reference.components.responses as unknown as Record<string, Response>;
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false }).addSchema(
  reference,
  'openapi',
);

/** Headers of HTTP and of CORS, which the document leaves out. */
const UNLISTED =
  /^(content-type|content-length|date|connection|keep-alive|transfer-encoding|vary|access-control-.*)$/;

/** Documents and pages, which the document leaves out. */
const PAGES = ['/openapi.json', '/docs', '/', ...SITE_PATHS.map((path) => `/${path}`)];

/** Fails unless the OpenAPI document allows a response: its status, code, headers and body. */
export function assertDocumented(method: string, target: string, response: ServiceResponse): void {
  const what = `${method} ${target}: ${response.status} ${response.json.code ?? ''}`;
  const isPage = PAGES.includes(target) && response.status === 200;
  const isPreflight = method === 'OPTIONS' && response.status === 204;
  if (isPage || isPreflight) return;
  const documented = findResponse(method, target.split('?', 1)[0] ?? '', response);
  assert.ok(documented, `${what} is not documented`);
  checkHeaders(what, documented, response.headers);
  if (method !== 'HEAD') checkBody(what, documented, response);
}

function findResponse(method: string, path: string, { status, json }: ServiceResponse): Response | undefined {
  const item = paths[path];
  const operation = item?.[method === 'HEAD' ? 'get' : method.toLowerCase()];
  return operation?.responses[status] ?? (operation === undefined ? elsewhere[json.code] : undefined);
}

function checkHeaders(what: string, documented: Response, headers: Record<string, unknown>): void {
  const names = Object.keys(documented.headers);
  const known = names.map((name) => name.toLowerCase());
  const unknown = Object.keys(headers).filter((name) => !UNLISTED.test(name) && !known.includes(name));
  assert.deepEqual(unknown, [], `${what} has headers that are not documented`);
  for (const name of names) {
    const { required, schema } = reference.components.headers[name as 'Allow'];
    const text = headers[name.toLowerCase()];
    assert.ok(text !== undefined || !required, `${what} lacks ${name}`);
    const value = schema.type === 'integer' ? Number(text) : text;
    if (text !== undefined) assert.ok(ajv.validate(schema, value), `${what}: ${name} is ${text}`);
  }
}

function checkBody(what: string, documented: Response, { headers, text, json }: ServiceResponse): void {
  const type = String(headers['content-type']);
  const content = documented.content[type];
  assert.ok(content, `${what} as ${type} is not documented`);
  if (content.examples !== undefined) assert.ok(json.code in content.examples, `${what} is not documented`);
  const { schema } = content as { schema: object };
  const isValid = validatorOf(schema);
  assert.ok(isValid(type.endsWith('json') ? json : text), `${what}: ${ajv.errorsText(isValid.errors)}`);
}

/** Cached, as compiling a schema takes longer than most requests and the tests send thousands. */
const validators = new Map<object, ValidateFunction>();

function validatorOf(schema: object): ValidateFunction {
  const known = validators.get(schema);
  if (known !== undefined) return known;
  const absolute = JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi#/'));
  const made = ajv.compile(absolute);
  validators.set(schema, made);
  return made;
}
