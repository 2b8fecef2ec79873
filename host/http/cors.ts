import type { IncomingMessage } from 'node:http';

const EXPOSED = [
  'X-Request-Id',
  'Server-Timing',
  'Retry-After',
  'RateLimit-Policy',
  'RateLimit',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
].join(', ');
const PREFLIGHT_AGE_S = 7200;

/** What lets a page of an allowed origin read the answer; nothing for others. */
export function corsHeaders(request: IncomingMessage, allowed: readonly string[]): Record<string, string> {
  if (allowed.length === 0) return {};
  const origin = request.headers.origin;
  const any = allowed.includes('*');
  if (!any && (origin === undefined || !allowed.includes(origin))) return { Vary: 'Origin' };
  const grant = any
    ? { 'Access-Control-Allow-Origin': '*' }
    : { 'Access-Control-Allow-Origin': String(origin), Vary: 'Origin' };
  return { ...grant, 'Access-Control-Expose-Headers': EXPOSED };
}

/** A browser's question before it sends the real request; it carries no key. */
export function isPreflight(request: IncomingMessage): boolean {
  return request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined;
}

/** The answer to it; without the origin's own header, the browser takes it as a no. */
export const PREFLIGHT_HEADERS = {
  'Access-Control-Allow-Methods': 'POST',
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, X-Request-Id',
  'Access-Control-Max-Age': String(PREFLIGHT_AGE_S),
};
