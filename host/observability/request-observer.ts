import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { bodyBytes } from './body-size.ts';
import { clientAddressReader } from './client-address.ts';
import { type LogFields, log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { RequestSpan } from './request-span.ts';
import { rounded, StepTimings } from './step-timings.ts';

type ObserverSettings = Pick<Settings, 'trustedProxies' | 'forwardedHeader'>;

/** Observes requests: each becomes a line of the log, a count in the metrics, and a span. */
export class RequestObserver {
  readonly #metrics: Metrics;
  readonly #clientAddress: (request: IncomingMessage) => string;

  constructor(metrics: Metrics, settings: ObserverSettings) {
    this.#metrics = metrics;
    this.#clientAddress = clientAddressReader(settings);
  }

  /** Starts observing a request. `id` is the request's own, as the client sees it. */
  start(request: IncomingMessage, response: ServerResponse, id: string): ObservedRequest {
    const clientAddress = this.#clientAddress(request);
    return new ObservedRequest({ request, response, id, clientAddress, metrics: this.#metrics });
  }
}

interface Observed {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  clientAddress: string;
  metrics: Metrics;
}

/** One request, as operators see it. */
export class ObservedRequest {
  /** Further fields of the log line. `path`, `tier`, `code` and those of the image are labels or attributes as well. */
  readonly logFields: LogFields = {};
  readonly timings = new StepTimings();
  readonly #observed: Observed;
  readonly #startMs = performance.now();
  readonly #span: RequestSpan;
  readonly #finishMetrics: ReturnType<Metrics['requestStarted']>;

  constructor(observed: Observed) {
    this.#observed = observed;
    this.#span = new RequestSpan(observed.request, observed.clientAddress);
    this.#finishMetrics = observed.metrics.requestStarted(observed.request.method);
  }

  /** Call it once. `responseWasSent` is false if the client has not got the whole response. */
  finish(status: number, responseWasSent: boolean): void {
    const { request, response, id, clientAddress, metrics } = this.#observed;
    const { method } = request;
    const durationMs = performance.now() - this.#startMs;
    const sizes = {
      requestBytes: bodyBytes(request),
      ...(responseWasSent && { responseBytes: method === 'HEAD' ? 0 : bodyBytes(response) }),
    };
    const steps = Object.fromEntries(
      this.timings.reached().map(([step, ms]) => [`${step}Ms`, rounded(ms)] as const),
    );
    log('info', 'request', {
      requestId: id,
      ...this.#span.logFields,
      method,
      status,
      durationMs: Math.round(durationMs),
      clientAddress,
      ...sizes,
      ...this.logFields,
      ...steps,
    });
    const [route, code, tier] = ['path', 'code', 'tier'].map((name) => String(this.logFields[name] ?? ''));
    const outcome = { route: route ?? '', status, code: code ?? '' };
    this.#finishMetrics({ ...outcome, tier: tier || 'none', durationMs, ...sizes });
    metrics.recordSteps(this.timings);
    if (!this.#span.isRecording) return;
    const attributes = { ...this.#spanAttributes(id), ...sizeAttributes(sizes) };
    this.#span.end({ ...outcome, attributes, steps: this.timings.intervals() });
  }

  #spanAttributes(id: string) {
    const { keyId, account, tier, format, width, height } = this.logFields;
    return {
      'tracesmith.request.id': id,
      'tracesmith.key.id': keyId,
      'tracesmith.account': account,
      'tracesmith.tier': tier,
      'tracesmith.image.format': format,
      'tracesmith.image.width': width,
      'tracesmith.image.height': height,
    };
  }
}

function sizeAttributes({ requestBytes, responseBytes }: { requestBytes: number; responseBytes?: number }) {
  return { 'http.request.body.size': requestBytes, 'http.response.body.size': responseBytes };
}
