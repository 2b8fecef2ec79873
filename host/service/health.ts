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
  // If the store is out of reach, it is so for all instances: none that knows keys may be taken out for that.
  [
    '/readyz',
    ({ isShuttingDown, isReady, isDegraded }) => {
      if (isShuttingDown) return { status: 503, word: 'draining' };
      if (!isReady) return { status: 503, word: 'store_unavailable' };
      return { status: 200, word: isDegraded ? 'degraded' : 'ok' };
    },
  ],
]);
