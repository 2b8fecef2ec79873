import type { Readiness } from './readiness.ts';

/** The status and the word in the body of a health check: the same on the public port (routes.ts) and the admin port (admin-server.ts). */
export interface HealthStatus {
  status: number;
  word: string;
}

export const healthStatus = {
  /** Of `/livez`: that the process can respond. */
  live: (): HealthStatus => ({ status: 200, word: 'ok' }),
  /** Of `/readyz`: whether load balancers should send requests. */
  ready: (readiness: Readiness): HealthStatus =>
    readiness.isReady ? { status: 200, word: 'ok' } : { status: 503, word: 'draining' },
};
