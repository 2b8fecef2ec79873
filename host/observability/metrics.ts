import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { knownMethod } from './request-method.ts';
import type { Step, StepTimings } from './step-timings.ts';

/** The buckets that OpenTelemetry's semantic conventions recommend for HTTP request durations, in seconds. */
const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
/** Bytes: 1 KiB to 64 MiB in powers of 4. */
const SIZE_BUCKETS = Array.from({ length: 9 }, (_, i) => 1024 * 4 ** i);

/** Operations of the store take fractions of a millisecond; their time limit is 50 ms by default. */
const STORE_BUCKETS_S = [0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1];

/** A finished request. */
interface FinishedRequest {
  /** The path if it is a route of the service, else empty. */
  route: string;
  status: number;
  /** The error code, empty if there was no error. */
  code: string;
  /** The tier of the key; `none` if the request was not authenticated. */
  tier: string;
  durationMs: number;
  requestBytes: number;
  /** Absent if the client did not get the whole response. */
  responseBytes?: number;
}

/** Why a worker thread ended: its job missed the deadline, the client of its job left, or it failed. */
export type WorkerExitReason = (typeof WORKER_EXIT_REASONS)[number];
const WORKER_EXIT_REASONS = ['timeout', 'client_disconnected', 'failure'] as const;

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
  readonly #requestSizes = this.#sizeHistogram(
    'http_server_request_body_size_bytes',
    'Size of HTTP server request bodies.',
  );
  readonly #responseSizes = this.#sizeHistogram(
    'http_server_response_body_size_bytes',
    'Size of HTTP server response bodies.',
  );
  readonly #requests = new Counter({
    ...this.#options('tracesmith_requests_total', 'Finished requests, by the tier of the API key.'),
    labelNames: ['tier', 'http_response_status_code', 'error_type'],
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
  readonly #workerRestarts = new Counter({
    ...this.#options('tracesmith_worker_restarts_total', 'Worker threads that ended and were replaced.'),
    labelNames: ['reason'],
  });

  readonly #storeDurations = new Histogram({
    ...this.#options(
      'tracesmith_store_operation_duration_seconds',
      'Duration of operations of the store that succeeded.',
    ),
    buckets: STORE_BUCKETS_S,
  });
  readonly #storeFailures = new Counter(
    this.#options(
      'tracesmith_store_failures_total',
      'Operations of the store that failed, took too long, or were not tried as it was out of reach.',
    ),
  );
  readonly #storeOutages = new Counter(
    this.#options('tracesmith_store_outages_total', 'Times at which the store went out of reach.'),
  );
  readonly #localDecisions = new Counter(
    this.#options(
      'tracesmith_local_decisions_total',
      'Requests whose limits were checked in this process, as the store was out of reach.',
    ),
  );

  constructor() {
    // A series that starts with its first restart would hide that restart from `rate()`.
    for (const reason of WORKER_EXIT_REASONS) this.#workerRestarts.inc({ reason }, 0);
  }

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
  requestStarted(method = ''): (finished: FinishedRequest) => void {
    const common = { http_request_method: knownMethod(method), url_scheme: 'http' };
    this.#activeRequests.inc(common);
    return ({ route, status, code, tier, durationMs, requestBytes, responseBytes }) => {
      this.#activeRequests.dec(common);
      const result = { http_response_status_code: String(status), error_type: code };
      const routed = { ...common, http_route: route, http_response_status_code: String(status) };
      this.#requestDurations.observe({ ...routed, ...result }, durationMs / 1000);
      this.#requests.inc({ tier, ...result });
      this.#requestSizes.observe(routed, requestBytes);
      if (responseBytes !== undefined) this.#responseSizes.observe(routed, responseBytes);
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

  workerRestarted(reason: WorkerExitReason): void {
    this.#workerRestarts.inc({ reason });
  }

  storeOperation(durationMs: number, isOk: boolean): void {
    if (isOk) this.#storeDurations.observe(durationMs / 1000);
    else this.#storeFailures.inc();
  }

  storeLost(): void {
    this.#storeOutages.inc();
  }

  decidedLocally(): void {
    this.#localDecisions.inc();
  }

  #sizeHistogram(name: string, help: string) {
    return new Histogram({
      ...this.#options(name, help),
      labelNames: ['http_request_method', 'url_scheme', 'http_route', 'http_response_status_code'],
      buckets: SIZE_BUCKETS,
    });
  }

  #options(name: string, help: string) {
    return { name, help, registers: [this.#registry] };
  }
}
