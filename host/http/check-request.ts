import type { IncomingMessage } from 'node:http';
import { problem } from '../errors/problem.ts';

/** RFC 9110's `uri-host [":" port]`: a name or an address, IPv6 in brackets. */
const HOST = /^(\[[\da-f:.]+\]|[\w\-.~%!$&'()*+,;=]*)(:\d*)?$/i;

/**
 * Throws `bad_request` for requests that node:http accepts, but that a proxy in front may have read differently: of a
 * repeated header node:http keeps the first one, and it decodes chunks whatever other codings are named.
 */
export function checkRequest(request: IncomingMessage): void {
  const { headers, headersDistinct, httpVersion } = request;
  if (httpVersion !== '1.1' && httpVersion !== '1.0') throw problem('malformed_http');
  if (!hasOneHost(request)) throw problem('invalid_host');
  if ((headersDistinct['content-type']?.length ?? 0) > 1) throw problem('repeated_content_type');
  const coding = headers['transfer-encoding'];
  if (coding === undefined) return;
  // HTTP/1.0 has no transfer codings: another server would read the body up to the end of the connection.
  if (httpVersion === '1.0' || coding.toLowerCase() !== 'chunked') throw problem('invalid_transfer_encoding');
}

function hasOneHost({ headersDistinct, httpVersion }: IncomingMessage): boolean {
  const [host, ...more] = headersDistinct.host ?? [];
  if (host === undefined) return httpVersion === '1.0';
  return more.length === 0 && HOST.test(host);
}
