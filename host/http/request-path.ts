import type { IncomingMessage } from 'node:http';
import { Problem } from '../errors/problem.ts';

/** `uri-host [":" port]` of RFC 9110: a name, or an address, in brackets if of IP version 6. */
const HOST = /^(\[[\da-f:.]+\]|[\w\-.~%!$&'()*+,;=]*)(:\d*)?$/i;
const ABSOLUTE = /^https?:\/\/[^/?#]*/i;

/** The path a request asks for, without the query. Throws when it does not say clearly which host it is meant for. */
export function pathOf(request: IncomingMessage): string {
  if (!hasOneHost(request)) throw new Problem('bad_request', 'The request must have one valid Host header.');
  const target = request.url ?? '';
  // The absolute form is what proxies are sent; RFC 9112 has every server accept it.
  return target.replace(ABSOLUTE, '').split(/[?#]/, 1)[0] || '/';
}

/** node:http keeps the first Host and drops the others: a proxy before it may have gone by another. */
function hasOneHost(request: IncomingMessage): boolean {
  const [host, ...more] = request.headersDistinct.host ?? [];
  if (host === undefined) return request.httpVersion === '1.0';
  return more.length === 0 && HOST.test(host);
}
