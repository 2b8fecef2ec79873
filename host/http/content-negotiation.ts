import type { IncomingMessage } from 'node:http';
import Negotiator from 'negotiator';
import { problem } from '../errors/problem.ts';

export const JSON_TYPE = 'application/json';
export const SVG_TYPE = 'image/svg+xml';
export type ResponseType = typeof JSON_TYPE | typeof SVG_TYPE;

/**
 * The media type of the response, by the Accept header (RFC 9110, 12.5.1); JSON if the header has no preference. Throws
 * `not_acceptable`.
 */
export function negotiateType(accept: string | undefined): ResponseType {
  if (accept === undefined || accept.trim() === '') return JSON_TYPE;
  const negotiator = new Negotiator({ headers: { accept: normalize(accept) } });
  const type = negotiator.mediaType([JSON_TYPE, SVG_TYPE]);
  if (type === undefined) throw problem('not_acceptable');
  return type as ResponseType;
}

/**
 * The header without parameters but the weight, such as `charset`, which no response type has. Media ranges are sorted,
 * as negotiator would let their order decide between equal weights; so `application/json` comes before `image/svg+xml`.
 */
function normalize(accept: string): string {
  const ranges = accept.split(',').map((range) => range.replace(/;(?!\s*q\s*=)[^;]*/gi, '').trim());
  return ranges.sort().join(',');
}

/** Whether the client accepts a gzip-compressed response. */
export function acceptsGzip(request: IncomingMessage): boolean {
  return new Negotiator(request).encodings(['gzip']).includes('gzip');
}
