import type { ProblemHeader } from '../errors/catalog.ts';
import { ref, type Schema } from './schemas.ts';

const header = (description: string, schema: Schema, required = true) => ({ description, required, schema });
const text = (pattern: string) => ({ type: 'string', pattern });
const fixed = (value: string) => ({ type: 'string', const: value });
const count = { type: 'integer', minimum: 0 };
const IF_LIMITED = 'Absent for accounts without a rate limit, and before authentication.';

/** Every response header, by name. */
export const HEADERS = {
  'X-Request-Id': header(
    'The id of the request in the log: the one that the client sent, or a random one.',
    text('^[\\w-]{1,64}$'),
  ),
  'Cache-Control': header('Responses must not be stored.', fixed('no-store')),
  'X-Content-Type-Options': header('Browsers must not guess another Content-Type.', fixed('nosniff')),
  'Server-Timing': header(
    'On success: milliseconds spent in the steps `upload`, `queue`, `decode` and `trace`.',
    text('^upload;dur=[\\d.]+, queue;dur=[\\d.]+, decode;dur=[\\d.]+, trace;dur=[\\d.]+$'),
  ),
  'Content-Security-Policy': header(
    'With an SVG response: opened as a page, it can neither run scripts nor load resources.',
    { type: 'string' },
    false,
  ),
  'RateLimit-Policy': header(
    `The limit: at most \`q\` requests in any \`w\` seconds. ${IF_LIMITED}`,
    text('^"default";q=\\d+;w=\\d+$'),
    false,
  ),
  RateLimit: header(
    `Remaining requests \`r\`, and seconds \`t\` until more are available. ${IF_LIMITED}`,
    text('^"default";r=\\d+;t=\\d+$'),
    false,
  ),
  'X-RateLimit-Limit': header(`Maximum requests in any 60 seconds. ${IF_LIMITED}`, count, false),
  'X-RateLimit-Remaining': header(`Remaining requests. ${IF_LIMITED}`, count, false),
  'X-RateLimit-Reset': header(
    `When more requests are available, in seconds since 1970. ${IF_LIMITED}`,
    count,
    false,
  ),
  'Retry-After': header(
    'Seconds to wait before a retry. With status 429 and 503.',
    { type: 'integer', minimum: 1 },
    false,
  ),
  'WWW-Authenticate': header(
    'The expected authentication scheme. With status 401, and with `invalid_authorization`.',
    text('^Bearer( error="\\w+")?$'),
    false,
  ),
  Allow: header('The methods that the path supports. With status 405.', { type: 'string' }),
};

export type HeaderName = keyof typeof HEADERS;

export const COMMON_HEADERS: HeaderName[] = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
export const RATE_LIMIT_HEADERS: HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** References to the headers of one response. */
export function headerRefs(names: readonly (HeaderName | ProblemHeader)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}
