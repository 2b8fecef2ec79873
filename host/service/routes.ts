import type { Settings } from '../config/settings.ts';
import { Problem } from '../errors/problem.ts';
import { JSON_TYPE } from '../http/content-negotiation.ts';
import { corsHeaders, isPreflight, PREFLIGHT_HEADERS } from '../http/cors.ts';
import type { Exchange } from '../http/request-context.ts';
import { pathOf } from '../http/request-path.ts';
import type { Answer } from '../http/send-response.ts';
import { PAGE_POLICY, page } from '../openapi/docs-page.ts';
import { openapi } from '../openapi/document.ts';
import { SITE_PATHS, siteAnswer } from '../site/serve.ts';
import type { Service } from './dependencies.ts';
import { vectorize } from './vectorize.ts';

type Handler = (exchange: Exchange, service: Service) => Answer | Promise<Answer>;

interface Route {
  methods: readonly string[];
  handle: Handler;
  /** Pages of other origins may call it. */
  isShared?: true;
}

const ROUTES = new Map<string, Route>([
  ['/v1/vectorize', { methods: ['POST'], handle: whileOpen(vectorize), isShared: true }],
  [
    '/openapi.json',
    { methods: ['GET', 'HEAD'], handle: (_, { settings }) => json(200, openapi(settings)), isShared: true },
  ],
  ['/docs', { methods: ['GET', 'HEAD'], handle: (_, { settings }) => documentation(settings) }],
  ...SITE_PATHS.map((path): [string, Route] => [
    `/${path === 'index.html' ? '' : path}`,
    { methods: ['GET', 'HEAD'], handle: ({ request }) => siteAnswer(path, request) },
  ]),
  ['/livez', { methods: ['GET', 'HEAD'], handle: () => status(200, 'ok') }],
  [
    '/readyz',
    {
      methods: ['GET', 'HEAD'],
      handle: (_, service) => (service.door.isReady ? status(200, 'ok') : status(503, 'draining')),
    },
  ],
]);

/** Finds who answers, by path and then method. */
export function route(exchange: Exchange, service: Service): Answer | Promise<Answer> {
  const { request } = exchange;
  const path = pathOf(request);
  const found = ROUTES.get(path);
  if (found === undefined)
    throw new Problem('not_found', 'There is nothing at this path. Try POST /v1/vectorize.');
  exchange.fields.path = path;
  if (found.isShared) exchange.addHeaders(corsHeaders(request, service.settings.corsOrigins));
  if (found.isShared && isPreflight(request)) return { status: 204, headers: PREFLIGHT_HEADERS, body: '' };
  if (!found.methods.includes(request.method ?? '')) throw wrongMethod(found.methods);
  return found.handle(exchange, service);
}

function wrongMethod(methods: readonly string[]): Problem {
  const allowed = methods.join(', ');
  return new Problem('method_not_allowed', `This path takes ${allowed}.`, { headers: { Allow: allowed } });
}

function whileOpen(handle: Handler): Handler {
  return (exchange, service) => {
    if (!service.door.takesWork) throw shuttingDown();
    exchange.atClose(service.door.enter());
    return handle(exchange, service);
  };
}

function documentation(settings: Settings): Answer {
  const headers = { 'Content-Type': 'text/html; charset=utf-8', 'Content-Security-Policy': PAGE_POLICY };
  return { status: 200, headers, body: page(openapi(settings)) };
}

function shuttingDown(): Problem {
  return new Problem('shutting_down', 'The service is shutting down.', { headers: { 'Retry-After': '1' } });
}

function status(code: number, word: string): Answer {
  return json(code, { status: word });
}

function json(code: number, value: object): Answer {
  return { status: code, headers: { 'Content-Type': JSON_TYPE }, body: JSON.stringify(value) };
}
