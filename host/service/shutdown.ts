import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { flushSpans } from '../observability/flush-spans.ts';
import { log } from '../observability/log.ts';
import type { Service } from './dependencies.ts';
import { exit } from './exit.ts';
import type { HttpServer } from './server.ts';

/** How often idle connections are closed; in between, a request that a client has just sent can arrive. */
const SWEEP_INTERVAL_MS = 50;
const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/**
 * Shuts the service down at the first signal, after the accepted requests have finished; at the second signal, the process
 * exits at once. SIGHUP counts only if the process has a terminal, which has been closed then.
 */
export function shutDownOnSignal(server: HttpServer, service: Service): void {
  const onSignal = (signal: string) => {
    if (service.readiness.isShuttingDown) return void exit(1);
    log('info', 'shutting down', { signal });
    void shutDown(server, service).then(() => exit(0));
  };
  for (const signal of SIGNALS) process.on(signal, onSignal);
  // nohup sets SIGHUP to be ignored, but Node.js resets that at start.
  process.on('SIGHUP', (signal) => {
    if (isatty(0) || isatty(1)) onSignal(signal);
    else log('info', 'signal ignored', { signal });
  });
}

/** The port stays open until the last response is sent, so that new requests get `shutting_down` until then. */
async function shutDown(server: HttpServer, { readiness, settings, pool, store }: Service): Promise<void> {
  readiness.startDraining();
  await sleep(settings.drainDelayMs);
  const deadline = setTimeout(() => {
    log('warn', 'shutdown timed out; requests in flight were canceled');
    void exit(1);
  }, settings.drainTimeoutMs);
  await readiness.close();
  await closeServer(server);
  clearTimeout(deadline);
  await pool.close();
  await store?.close();
  await flushSpans();
}

async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.openConnections.closeIdle(), SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweep);
}
