import { once } from 'node:events';
import type { Server } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from '../http/open-connections.ts';
import { log } from '../observability/log.ts';
import type { Service } from './dependencies.ts';

/** Connections that have become idle are looked for this often: until then, what a caller just sent can arrive. */
const SWEEP_INTERVAL_MS = 50;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** The first signal lets accepted requests finish, the second ends the process at once. Before the server listens. */
export function drainOnSignal(server: Server, service: Service): void {
  const connections = new Connections(server);
  const onSignal = (signal: string) => {
    if (!service.door.isReady) process.exit(1);
    log('info', 'draining', { signal });
    void drain(server, connections, service).finally(() => process.exit(0));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
}

/** The port stays open until the last answer is out: until then, whoever asks is told that the service is leaving. */
async function drain(
  server: Server,
  connections: Connections,
  { door, settings, pool }: Service,
): Promise<void> {
  door.announceClosing();
  await sleep(settings.drainDelayMs);
  const deadline = setTimeout(() => {
    log('warn', 'requests were still running when the time to drain was over');
    process.exit(1);
  }, settings.drainTimeoutMs);
  await door.close();
  await closeServer(server, connections);
  clearTimeout(deadline);
  await pool.close();
}

async function closeServer(server: Server, connections: Connections): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => connections.closeIdle(), SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweep);
}
