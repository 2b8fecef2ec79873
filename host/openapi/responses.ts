import { STATUS_CODES } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { PROBLEM_CODES, type ProblemCode, problemRow } from '../errors/catalog.ts';
import { PROBLEM_TYPE, Problem, problemFields } from '../errors/problem.ts';
import { JSON_TYPE, SVG_TYPE } from '../http/content-negotiation.ts';
import { headersOf, OF_EVERY_ANSWER, OF_LIMITED_ACCOUNTS } from './headers.ts';
import { ref } from './schemas.ts';

const EXAMPLE_ID = '686c6429-2b46-4385-be48-04023154cc0d';
const EXAMPLE_SVG =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 2 2" width="2" height="2"><path fill="#c00" d="M0 0h2v2H0z"/></svg>';

/** What can come of any request at all. */
const ANYWHERE: readonly ProblemCode[] = ['bad_request', 'request_timeout', 'headers_too_large', 'internal'];
/** What can come only where there is no operation. */
export const ELSEWHERE: readonly ProblemCode[] = ['not_found', 'method_not_allowed'];
/** Found out before it is known whose request it is. */
const BEFORE_AUTHENTICATION: readonly ProblemCode[] = [
  'bad_request',
  'headers_too_large',
  'missing_credentials',
  'invalid_authorization',
  'invalid_api_key',
  'auth_unavailable',
  'shutting_down',
];

type Responses = Record<string, unknown>;

export function vectorizeResponses(settings: Settings): Responses {
  const headers = headersOf([
    ...OF_EVERY_ANSWER,
    ...OF_LIMITED_ACCOUNTS,
    'Server-Timing',
    'Content-Security-Policy',
  ]);
  const drawing = { svg: EXAMPLE_SVG, processingTime: 12.34 };
  const content = {
    [JSON_TYPE]: { schema: ref('schemas', 'Drawing'), example: drawing },
    [SVG_TYPE]: { schema: { type: 'string' }, example: EXAMPLE_SVG },
  };
  const codes = PROBLEM_CODES.filter((code) => !ELSEWHERE.includes(code));
  return { 200: { description: 'The drawing.', headers, content }, ...problemResponses(codes, settings) };
}

export function healthResponses(settings: Settings, words: Record<number, string>): Responses {
  const healthy = Object.entries(words).map(([status, word]) => {
    const content = { [JSON_TYPE]: { schema: ref('schemas', 'Health'), example: { status: word } } };
    return [status, { description: word, headers: headersOf(OF_EVERY_ANSWER), content }];
  });
  return { ...Object.fromEntries(healthy), ...problemResponses(ANYWHERE, settings) };
}

function problemResponses(codes: readonly ProblemCode[], settings: Settings): Responses {
  const statuses = [...new Set(codes.map((code) => problemRow(code).status))].sort();
  return Object.fromEntries(
    statuses.map((status) => [
      status,
      problemResponse(
        codes.filter((code) => problemRow(code).status === status),
        settings,
      ),
    ]),
  );
}

/** The response of one status, with an example for each code it can carry. */
export function problemResponse(codes: readonly ProblemCode[], settings: Settings) {
  const [status] = codes.map((code) => problemRow(code).status);
  const extra = codes.flatMap((code) => problemRow(code).headers ?? []);
  const isKnown = codes.some((code) => ![...BEFORE_AUTHENTICATION, ...ELSEWHERE].includes(code));
  const rates = isKnown ? OF_LIMITED_ACCOUNTS : [];
  const lines = codes.map((code) => `- \`${code}\`: ${problemRow(code).when}`);
  const examples = codes.map((code) => [
    code,
    { summary: problemRow(code).when, value: example(code, settings) },
  ]);
  return {
    description: `${STATUS_CODES[status ?? 0]}\n\n${lines.join('\n')}`,
    headers: headersOf([...OF_EVERY_ANSWER, ...rates, ...new Set(extra)]),
    content: {
      [PROBLEM_TYPE]: { schema: ref('schemas', 'Problem'), examples: Object.fromEntries(examples) },
    },
  };
}

function example(code: ProblemCode, settings: Settings): Record<string, unknown> {
  const { when, members = [] } = problemRow(code);
  const values = {
    errors: [{ pointer: '/colorPrecision', detail: 'must be a number from 1 to 8, not 9' }],
    maxBytes: code === 'config_too_large' ? settings.maxConfigBytes : settings.maxFileBytes,
    maxPixels: settings.maxPixels,
    maxSide: settings.maxSidePx,
  };
  const chosen = Object.fromEntries(members.map((name) => [name, values[name]]));
  return problemFields(new Problem(code, when, { members: chosen }), EXAMPLE_ID);
}
