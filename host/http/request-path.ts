import type { IncomingMessage } from 'node:http';
import { problem } from '../errors/problem.ts';

/** RFC 9110's `uri-host [":" port]`: a name or an address, IPv6 in brackets. */
const HOST = /^(\[[\da-f:.]+\]|[\w\-.~%!$&'()*+,;=]*)(:\d*)?$/i;
const ABSOLUTE_FORM = /^https?:\/\/[^/?#]*/i;

/** The path of a request, without its query. Throws `bad_request` unless there is exactly one valid Host header. */
export function requestPath(request: IncomingMessage): string {
  if (!hasOneHost(request)) throw problem('invalid_host');
  const target = request.url ?? '';
  // Clients send the absolute form to proxies, but RFC 9112 requires every server to accept it.
  return target.replace(ABSOLUTE_FORM, '').split(/[?#]/, 1)[0] || '/';
}

/** node:http keeps only the first Host header, but a proxy in front may have used another one. */
function hasOneHost(request: IncomingMessage): boolean {
  const [host, ...more] = request.headersDistinct.host ?? [];
  if (host === undefined) return request.httpVersion === '1.0';
  return more.length === 0 && HOST.test(host);
}
