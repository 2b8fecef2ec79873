import type { IncomingMessage } from 'node:http';

const EXPOSED_HEADERS = [
  'X-Request-Id',
  'Server-Timing',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
].join(', ');
const PREFLIGHT_MAX_AGE_S = 7200;

/** The headers that let a page of an allowed origin read the response; none for other origins. */
export function corsHeaders(
  request: IncomingMessage,
  allowedOrigins: readonly string[],
): Record<string, string> {
  if (allowedOrigins.length === 0) return {};
  const origin = request.headers.origin;
  const allowsAny = allowedOrigins.includes('*');
  if (!allowsAny && (origin === undefined || !allowedOrigins.includes(origin))) return { Vary: 'Origin' };
  const allowed = allowsAny
    ? { 'Access-Control-Allow-Origin': '*' }
    : { 'Access-Control-Allow-Origin': String(origin), Vary: 'Origin' };
  return { ...allowed, 'Access-Control-Expose-Headers': EXPOSED_HEADERS };
}

/** Whether a request is a CORS preflight, which carries no credentials. */
export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

/** Headers of the response to a preflight. Without `Access-Control-Allow-Origin`, the browser blocks the request. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_S),
};
