import type { IncomingHttpHeaders } from 'node:http';
import {
  type Context,
  isSpanContextValid,
  propagation,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api';

/** W3C Trace Context, 3.2: version, trace id, parent id and flags. Version ff is invalid. */
const TRACEPARENT = /^(?!ff)([\da-f]{2})-([\da-f]{32})-([\da-f]{16})-([\da-f]{2})(-.*)?$/;

/** The trace that the client belongs to, by its headers: as an SDK's propagator reads them, else by `traceparent`. */
export function callerContext(headers: IncomingHttpHeaders): Context {
  const context = propagation.extract(ROOT_CONTEXT, headers);
  if (trace.getSpanContext(context) !== undefined) return context;
  const caller = parseTraceparent(headers.traceparent);
  return caller === undefined ? context : trace.setSpanContext(context, caller);
}

/**
 * The caller's span by a `traceparent` header; undefined if the header is missing, repeated or invalid. Later versions may
 * add fields at the end.
 */
export function parseTraceparent(header: string | string[] | undefined): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] =
    typeof header === 'string' ? (TRACEPARENT.exec(header) ?? []) : [];
  if (version === '00' && more !== undefined) return undefined;
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  // Ids of zeros only are invalid.
  return isSpanContextValid(context) ? context : undefined;
}
