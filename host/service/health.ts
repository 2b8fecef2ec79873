import type { Readiness } from './readiness.ts';

/** The status and the word in the body of a health check. */
export interface HealthStatus {
  status: number;
  word: string;
}

/** The health checks by path: the same on the public port (routes.ts) and the admin port (admin-server.ts). */
export const HEALTH_CHECKS = new Map<string, (readiness: Readiness) => HealthStatus>([
  // That the process can respond.
  ['/livez', () => ({ status: 200, word: 'ok' })],
  // Whether load balancers should send requests.
  ['/readyz', ({ isReady }) => (isReady ? { status: 200, word: 'ok' } : { status: 503, word: 'draining' })],
]);
