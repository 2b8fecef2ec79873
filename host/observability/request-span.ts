import type { IncomingMessage } from 'node:http';
import {
  type Attributes,
  type Context,
  ProxyTracerProvider,
  type Span,
  SpanKind,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { knownMethod, OTHER_METHOD } from './request-method.ts';
import type { StepInterval } from './step-timings.ts';
import { callerContext } from './trace-context.ts';

/** What a span says of a request that has ended. */
export interface SpanEnd {
  /** The path if it is a route of the service, else empty. */
  route: string;
  status: number;
  /** The error code, empty if there was no error. */
  code: string;
  attributes: Attributes;
  steps: readonly StepInterval[];
}

/**
 * The server span of one request, by OpenTelemetry's semantic conventions. Spans go to the SDK that the operator has loaded
 * into the process; without one, OpenTelemetry's API records nothing.
 */
export class RequestSpan {
  readonly #tracer: Tracer;
  readonly #context: Context;
  readonly #method: string;
  readonly #span: Span;

  constructor(request: IncomingMessage, clientAddress: string) {
    this.#tracer = trace.getTracer('tracesmith');
    this.#method = knownMethod(request.method);
    const caller = callerContext(request.headers);
    const attributes = hasSdk() ? { ...requestAttributes(request), 'client.address': clientAddress } : {};
    this.#span = this.#tracer.startSpan(this.#name(''), { kind: SpanKind.SERVER, attributes }, caller);
    this.#context = trace.setSpan(caller, this.#span);
  }

  /**
   * The trace and the span under the names that OpenTelemetry gives them in logs. Without an SDK they are the caller's;
   * none if the caller sent none.
   */
  get logFields(): { trace_id?: string; span_id?: string } {
    const { traceId, spanId } = this.#span.spanContext();
    return /^0*$/.test(traceId) ? {} : { trace_id: traceId, span_id: spanId };
  }

  /** Whether an SDK records the span. */
  get isRecording(): boolean {
    return this.#span.isRecording();
  }

  /** Ends the span, with a child for each step. */
  end({ route, status, code, attributes, steps }: SpanEnd): void {
    const span = this.#span;
    span.updateName(this.#name(route));
    span.setAttributes({ ...attributes, 'http.response.status_code': status });
    if (route !== '') span.setAttribute('http.route', route);
    if (code !== '') span.setAttribute('error.type', code);
    // By the conventions, a client's error does not make the server's span an error.
    if (status >= 500) span.setStatus({ code: SpanStatusCode.ERROR });
    for (const { step, startMs, endMs } of steps)
      this.#tracer.startSpan(step, { startTime: startMs }, this.#context).end(endMs);
    span.end();
  }

  #name(route: string): string {
    return [this.#method === OTHER_METHOD ? 'HTTP' : this.#method, route].join(' ').trim();
  }
}

function hasSdk(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegateTracer('tracesmith') !== undefined;
}

function requestAttributes(request: IncomingMessage): Attributes {
  const { method = '', url = '', headers, socket, httpVersion } = request;
  const known = knownMethod(method);
  const given: Record<string, string | number | undefined> = {
    'http.request.method': known,
    'http.request.method_original': known === method ? undefined : method,
    // Without the query, which the service does not use and which may hold secrets.
    'url.path': url.split(/[?#]/, 1)[0],
    'url.scheme': 'http',
    'network.peer.address': socket.remoteAddress,
    'network.peer.port': socket.remotePort,
    'network.protocol.version': httpVersion,
    'server.address': headers.host?.replace(/:\d*$/, ''),
    'user_agent.original': headers['user-agent'],
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as Attributes;
}
