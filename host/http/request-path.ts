import type { IncomingMessage } from 'node:http';

const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** The path of a request, without its query. */
export function requestPath(request: IncomingMessage): string {
  // Clients send the absolute form to proxies, but RFC 9112 requires every server to accept it.
  return (request.url ?? '').replace(ABSOLUTE_FORM, '').split(/[?#]/, 1)[0] || '/';
}
