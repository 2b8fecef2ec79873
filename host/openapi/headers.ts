import type { ProblemHeader } from '../errors/catalog.ts';
import { ref, type Schema } from './schemas.ts';

const header = (description: string, schema: Schema, required = true) => ({ description, required, schema });
const text = (pattern: string) => ({ type: 'string', pattern });
const fixed = (value: string) => ({ type: 'string', const: value });
const count = { type: 'integer', minimum: 0 };
const ofLimited = 'Absent for accounts without a limit, and before authentication.';

/** Every header that answers carry, by its name. */
export const HEADERS = {
  'X-Request-Id': header(
    'The request’s name in the log: the caller’s own, or a random one.',
    text('^[\\w-]{1,64}$'),
  ),
  'Cache-Control': header('Nothing is to be stored.', fixed('no-store')),
  'X-Content-Type-Options': header('The Content-Type is what it says.', fixed('nosniff')),
  'Server-Timing': header(
    'With a drawing: milliseconds of the steps `upload`, `queue`, `decode` and `trace`.',
    text('^upload;dur=[\\d.]+, queue;dur=[\\d.]+, decode;dur=[\\d.]+, trace;dur=[\\d.]+$'),
  ),
  'Content-Security-Policy': header(
    'On a bare SVG: opened as a page of its own, it can run and load nothing.',
    { type: 'string' },
    false,
  ),
  'RateLimit-Policy': header(
    `At most \`q\` requests in any \`w\` seconds. ${ofLimited}`,
    text('^"default";q=\\d+;w=\\d+$'),
    false,
  ),
  RateLimit: header(
    `\`r\` requests remain; more are free in \`t\` seconds. ${ofLimited}`,
    text('^"default";r=\\d+;t=\\d+$'),
    false,
  ),
  'X-RateLimit-Limit': header(`Requests in any 60 seconds. ${ofLimited}`, count, false),
  'X-RateLimit-Remaining': header(`Requests that remain. ${ofLimited}`, count, false),
  'X-RateLimit-Reset': header(`When more are free, in seconds since 1970. ${ofLimited}`, count, false),
  'Retry-After': header('Seconds to wait. With 429 and 503.', { type: 'integer', minimum: 1 }, false),
  'WWW-Authenticate': header(
    'What is wanted. With 401, and with `invalid_authorization`.',
    text('^Bearer( error="\\w+")?$'),
    false,
  ),
  Allow: header('The methods of this path. With 405.', { type: 'string' }),
};

export type HeaderName = keyof typeof HEADERS;

export const OF_EVERY_ANSWER: HeaderName[] = ['X-Request-Id', 'Cache-Control', 'X-Content-Type-Options'];
export const OF_LIMITED_ACCOUNTS: HeaderName[] = [
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
];

/** References to the headers of one answer. */
export function headersOf(names: readonly (HeaderName | ProblemHeader)[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [name, ref('headers', name)]));
}
