import { STATUS_CODES } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { PROBLEM_CODES, type ProblemCode, problemType } from '../errors/catalog.ts';
import { PROBLEM_JSON, Problem, problemFields } from '../errors/problem.ts';
import { JSON_TYPE, SVG_TYPE } from '../http/content-negotiation.ts';
import { COMMON_HEADERS, headerRefs, RATE_LIMIT_HEADERS } from './headers.ts';
import { ref } from './schemas.ts';

const EXAMPLE_ID = '686c6429-2b46-4385-be48-04023154cc0d';
const EXAMPLE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2" width="2" height="2"><path fill="#c00" d="M0 0h2v2H0z"/></svg>';

/** Errors of any request. */
const COMMON_CODES: readonly ProblemCode[] = [
  'bad_request',
  'request_timeout',
  'headers_too_large',
  'internal',
];
/** Errors of paths and methods that are not in the document. */
export const OTHER_PATH_CODES: readonly ProblemCode[] = ['not_found', 'method_not_allowed'];
/** Errors before authentication: their responses have no rate limit headers. */
const UNAUTHENTICATED_CODES: readonly ProblemCode[] = [
  'bad_request',
  'headers_too_large',
  'missing_credentials',
  'invalid_authorization',
  'invalid_api_key',
  'auth_unavailable',
  'shutting_down',
];

type Responses = Record<string, unknown>;

/** All responses of `POST /v1/vectorize`. */
export function vectorizeResponses(settings: Settings): Responses {
  const headers = headerRefs([
    ...COMMON_HEADERS,
    ...RATE_LIMIT_HEADERS,
    'Server-Timing',
    'Content-Security-Policy',
  ]);
  const example = { svg: EXAMPLE_SVG, processingTime: 12.34 };
  const content = {
    [JSON_TYPE]: { schema: ref('schemas', 'Drawing'), example },
    [SVG_TYPE]: { schema: { type: 'string' }, example: EXAMPLE_SVG },
  };
  const codes = PROBLEM_CODES.filter((code) => !OTHER_PATH_CODES.includes(code));
  return { 200: { description: 'The SVG.', headers, content }, ...problemResponses(codes, settings) };
}

/** All responses of a health check. `statusWords` is the word in the body for each status. */
export function healthResponses(settings: Settings, statusWords: Record<number, string>): Responses {
  const healthy = Object.entries(statusWords).map(([status, word]) => {
    const content = { [JSON_TYPE]: { schema: ref('schemas', 'Health'), example: { status: word } } };
    return [status, { description: word, headers: headerRefs(COMMON_HEADERS), content }];
  });
  return { ...Object.fromEntries(healthy), ...problemResponses(COMMON_CODES, settings) };
}

function problemResponses(codes: readonly ProblemCode[], settings: Settings): Responses {
  const statuses = [...new Set(codes.map((code) => problemType(code).status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      problemResponse(
        codes.filter((code) => problemType(code).status === status),
        settings,
      ),
    ]),
  );
}

/** The response of one status, with an example for each of its codes. */
export function problemResponse(codes: readonly ProblemCode[], settings: Settings) {
  const [status] = codes.map((code) => problemType(code).status);
  const ownHeaders = codes.flatMap((code) => problemType(code).headers ?? []);
  const isAuthenticated = codes.some(
    (code) => ![...UNAUTHENTICATED_CODES, ...OTHER_PATH_CODES].includes(code),
  );
  const rateLimitHeaders = isAuthenticated ? RATE_LIMIT_HEADERS : [];
  const lines = codes.map((code) => `- \`${code}\`: ${problemType(code).when}`);
  const examples = codes.map((code) => [
    code,
    { summary: problemType(code).when, value: exampleProblem(code, settings) },
  ]);
  return {
    description: `${STATUS_CODES[status ?? 0]}\n\n${lines.join('\n')}`,
    headers: headerRefs([...COMMON_HEADERS, ...rateLimitHeaders, ...new Set(ownHeaders)]),
    content: {
      [PROBLEM_JSON]: { schema: ref('schemas', 'Problem'), examples: Object.fromEntries(examples) },
    },
  };
}

function exampleProblem(code: ProblemCode, settings: Settings): Record<string, unknown> {
  const { when, members = [] } = problemType(code);
  const values = {
    errors: [{ pointer: '/colorPrecision', detail: 'must be a number from 1 to 8, not 9' }],
    maxBytes: code === 'config_too_large' ? settings.maxConfigBytes : settings.maxFileBytes,
    maxPixels: settings.maxPixels,
    maxSide: settings.maxSidePx,
  };
  const chosen = Object.fromEntries(members.map((name) => [name, values[name]]));
  return problemFields(new Problem(code, when, { members: chosen }), EXAMPLE_ID);
}
