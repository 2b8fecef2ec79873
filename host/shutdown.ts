import { once } from 'node:events';
import type { Server } from 'node:http';
import { log } from './log.ts';
import type { Service } from './service.ts';

/** node:http closes idle connections once; those that become idle later are looked for this often. */
const SWEEP_INTERVAL_MS = 50;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The first signal lets accepted requests finish, the second ends the process at once. */
export function drainOnSignal(server: Server, service: Service): void {
  const onSignal = (signal: string) => {
    if (service.isDraining) process.exit(1);
    service.isDraining = true;
    log('info', 'draining', { signal });
    void drain(server, service).finally(() => process.exit(0));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

async function drain(server: Server, service: Service): Promise<void> {
  const deadline = setTimeout(() => {
    log('warn', 'requests were still running when the time to drain was over');
    process.exit(1);
  }, service.settings.drainTimeoutMs);
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.closeIdleConnections(), SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweep);
  clearTimeout(deadline);
  await service.pool.close();
}
