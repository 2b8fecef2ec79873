import type { Settings } from '../config/settings.ts';
import { methodNotAllowed } from '../errors/details.ts';
import { problem } from '../errors/problem.ts';
import { checkRequest } from '../http/check-request.ts';
import { JSON_TYPE } from '../http/content-negotiation.ts';
import { corsHeaders, isPreflight, PREFLIGHT_HEADERS } from '../http/cors.ts';
import type { RequestContext } from '../http/request-context.ts';
import { requestPath } from '../http/request-path.ts';
import type { HttpResponse } from '../http/send-response.ts';
import { DOCS_PAGE_POLICY, docsPage } from '../openapi/docs-page.ts';
import { openapiDocument } from '../openapi/document.ts';
import { SITE_PATHS } from '../site/files.ts';
import { serveSite } from '../site/serve.ts';
import type { Service } from './dependencies.ts';
import { HEALTH_CHECKS, type HealthStatus } from './health.ts';
import { vectorize } from './vectorize.ts';

type Handler = (context: RequestContext, service: Service) => HttpResponse | Promise<HttpResponse>;

interface Route {
  methods: readonly string[];
  handle: Handler;
  /** Pages of other origins may call it, if the settings allow them. */
  allowsCors?: true;
}

const GET = ['GET', 'HEAD'];

const ROUTES = new Map<string, Route>([
  ['/v1/vectorize', { methods: ['POST'], handle: unlessClosed(vectorize), allowsCors: true }],
  [
    '/openapi.json',
    {
      methods: GET,
      handle: (_, { settings }) => jsonResponse(200, openapiDocument(settings)),
      allowsCors: true,
    },
  ],
  ['/docs', { methods: GET, handle: (_, { settings }) => docsResponse(settings) }],
  ...SITE_PATHS.map((path): [string, Route] => [
    `/${path === 'index.html' ? '' : path}`,
    { methods: GET, handle: ({ request }) => serveSite(path, request) },
  ]),
  ...[...HEALTH_CHECKS].map(([path, check]): [string, Route] => [
    path,
    { methods: GET, handle: (_, { readiness }) => healthResponse(check(readiness)) },
  ]),
]);

/** The methods of all routes, sorted. */
export const METHODS = [...new Set([...ROUTES.values()].flatMap(({ methods }) => methods))].sort();

/** Calls the handler of the path and method. Throws `bad_request`, `not_found` or `method_not_allowed`. */
export function route(context: RequestContext, service: Service): HttpResponse | Promise<HttpResponse> {
  const { request } = context;
  checkRequest(request);
  const path = requestPath(request);
  const found = ROUTES.get(path);
  if (found === undefined) throw problem('not_found');
  context.logFields.path = path;
  if (found.allowsCors) context.addHeaders(corsHeaders(request, service.settings.corsOrigins));
  if (found.allowsCors && isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: '' };
  const { method = '' } = request;
  if (!found.methods.includes(method)) throw methodNotAllowed(method, found.methods);
  return found.handle(context, service);
}

function unlessClosed(handle: Handler): Handler {
  return (context, service) => {
    if (!service.readiness.acceptsRequests)
      throw problem('shutting_down', { headers: { 'Retry-After': '1' } });
    context.onClose(service.readiness.enter());
    return handle(context, service);
  };
}

function docsResponse(settings: Settings): HttpResponse {
  const headers = {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': DOCS_PAGE_POLICY,
  };
  return { status: 200, headers, body: docsPage(openapiDocument(settings)) };
}

function healthResponse({ status, word }: HealthStatus): HttpResponse {
  return jsonResponse(status, { status: word });
}

function jsonResponse(code: number, value: object): HttpResponse {
  return { status: code, headers: { 'Content-Type': JSON_TYPE }, body: JSON.stringify(value) };
}
