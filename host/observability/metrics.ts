import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { Step, Timings } from './step-timings.ts';

/** OpenTelemetry's advice for the duration of HTTP requests, in seconds. */
const REQUEST_BUCKETS_S = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10];
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'CONNECT', 'OPTIONS', 'TRACE', 'PATCH'];
/** OpenTelemetry's word for all other methods: callers must not be able to make series. */
const OTHER_METHOD = '_OTHER';

/** How one request ended. */
export interface Ended {
  method: string;
  /** The path, where it is one of ours. */
  route: string;
  status: number;
  /** The problem's code; empty when there was none. */
  code: string;
  ms: number;
}

/** What is counted while the service runs, by the names that OpenTelemetry gives to HTTP servers' metrics. */
export class Metrics {
  readonly #registry = new Registry();
  readonly #active = new Gauge({
    ...this.#named('http_server_active_requests', 'Requests that have no whole answer yet.'),
    labelNames: ['http_request_method', 'url_scheme'],
  });
  readonly #requests = new Histogram({
    ...this.#named(
      'http_server_request_duration_seconds',
      'Time from a request’s headers to its answer’s end.',
    ),
    labelNames: [
      'http_request_method',
      'url_scheme',
      'http_route',
      'http_response_status_code',
      'error_type',
    ],
    buckets: REQUEST_BUCKETS_S,
  });
  readonly #steps = new Histogram({
    ...this.#named('tracesmith_step_duration_seconds', 'Time of the steps of a request that were reached.'),
    labelNames: ['step'],
    buckets: REQUEST_BUCKETS_S,
  });
  readonly #refusedConnections = new Counter({
    ...this.#named('tracesmith_refused_connections_total', 'Connections that sent no readable HTTP request.'),
    labelNames: ['error_type'],
  });
  readonly #endedWorkers = new Counter(
    this.#named('tracesmith_ended_workers_total', 'Worker threads that ended and were replaced.'),
  );

  get contentType(): string {
    return this.#registry.contentType;
  }

  /** Prometheus's text format. */
  text(): Promise<string> {
    return this.#registry.metrics();
  }

  /** Adds what the process and Node.js tell of themselves. */
  addProcess(): void {
    collectDefaultMetrics({ register: this.#registry });
  }

  /** A value that is read when somebody looks. */
  gauge(name: string, help: string, read: () => number): void {
    new Gauge({
      ...this.#named(name, help),
      collect() {
        this.set(read());
      },
    });
  }

  /** Counts a request; the result is told how it ended. */
  began(method = ''): (ended: Omit<Ended, 'method'>) => void {
    const common = {
      http_request_method: METHODS.includes(method) ? method : OTHER_METHOD,
      url_scheme: 'http',
    };
    this.#active.inc(common);
    return ({ route, status, code, ms }) => {
      this.#active.dec(common);
      const labels = { http_route: route, http_response_status_code: String(status), error_type: code };
      this.#requests.observe({ ...common, ...labels }, ms / 1000);
    };
  }

  stepsTook(times: Timings): void {
    for (const [step, ms] of times.reached())
      this.#steps.observe({ step } satisfies { step: Step }, ms / 1000);
  }

  refusedConnection(code: string): void {
    this.#refusedConnections.inc({ error_type: code });
  }

  endedWorker(): void {
    this.#endedWorkers.inc();
  }

  #named(name: string, help: string) {
    return { name, help, registers: [this.#registry] };
  }
}
