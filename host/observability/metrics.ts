import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Step, StepTimings } from './step-timings.ts';

/** The buckets that OpenTelemetry's semantic conventions recommend for HTTP request durations, in seconds. */
const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
/** OpenTelemetry's label for all other methods, so that clients cannot create time series. */
const OTHER_METHOD = '_OTHER';

/** A finished request. */
export interface FinishedRequest {
  method: string;
  /** The path if it is a route of the service, else empty. */
  route: string;
  status: number;
  /** The error code, empty if there was no error. */
  code: string;
  durationMs: number;
}

/**
 * The Prometheus metrics. HTTP metrics have the names of OpenTelemetry's semantic conventions. The gauges of queue, memory
 * and API keys are in service/gauges.ts.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #activeRequests = new Gauge({
    ...this.#options('http_server_active_requests', 'Number of active HTTP server requests.'),
    labelNames: ['http_request_method', 'url_scheme'],
  });
  readonly #requestDurations = new Histogram({
    ...this.#options('http_server_request_duration_seconds', 'Duration of HTTP server requests.'),
    labelNames: [
      'http_request_method',
      'url_scheme',
      'http_route',
      'http_response_status_code',
      'error_type',
    ],
    buckets: REQUEST_BUCKETS_S,
  });
  readonly #stepDurations = new Histogram({
    ...this.#options('tracesmith_step_duration_seconds', 'Duration of each step that a request reached.'),
    labelNames: ['step'],
    buckets: REQUEST_BUCKETS_S,
  });
  readonly #rejectedConnections = new Counter({
    ...this.#options(
      'tracesmith_rejected_connections_total',
      'Connections closed because they sent no valid HTTP request.',
    ),
    labelNames: ['error_type'],
  });
  readonly #limitedConnections = new Counter({
    ...this.#options(
      'tracesmith_limited_connections_total',
      'Connections closed because the limit of open connections was reached.',
    ),
    labelNames: ['action'],
  });
  readonly #discardedRequests = new Counter(
    this.#options(
      'tracesmith_discarded_requests_total',
      'Pipelined requests that were received but not started before their connection was closed.',
    ),
  );
  readonly #workerRestarts = new Counter(
    this.#options('tracesmith_worker_restarts_total', 'Worker threads that ended and were replaced.'),
  );

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** All metrics in Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Adds prom-client's metrics of the process and of Node.js. */
  addProcessMetrics(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** Adds a gauge whose value is read at each scrape. */
  addGauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...this.#options(name, help),
      collect() {
        this.set(read());
      },
    });
  }

  /** Counts a request as active. Call the returned function when it has finished. */
  requestStarted(method = ''): (finished: Omit<FinishedRequest, 'method'>) => void {
    const common = {
      http_request_method: METHODS.includes(method) ? method : OTHER_METHOD,
      url_scheme: 'http',
    };
    this.#activeRequests.inc(common);
    return ({ route, status, code, durationMs }) => {
      this.#activeRequests.dec(common);
      const labels = { http_route: route, http_response_status_code: String(status), error_type: code };
      this.#requestDurations.observe({ ...common, ...labels }, durationMs / 1000);
    };
  }

  recordSteps(timings: StepTimings): void {
    for (const [step, ms] of timings.reached())
      this.#stepDurations.observe({ step } satisfies { step: Step }, ms / 1000);
  }

  connectionRejected(code: string): void {
    this.#rejectedConnections.inc({ error_type: code });
  }

  connectionLimited(action: string): void {
    this.#limitedConnections.inc({ action });
  }

  requestsDiscarded(count: number): void {
    this.#discardedRequests.inc(count);
  }

  workerRestarted(): void {
    this.#workerRestarts.inc();
  }

  #options(name: string, help: string) {
    return { name, help, registers: [this.#registry] };
  }
}
