import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { isatty } from 'node:tty';
import { flushSpans } from '../observability/flush-spans.ts';
import { log } from '../observability/log.ts';
import type { Service } from './dependencies.ts';
import { endStart, SIGNALS } from './early-signals.ts';
import { exit } from './exit.ts';
import type { HttpServer } from './server.ts';

/** How often idle connections are closed; in between, a request that a client has just sent can arrive. */
const SWEEP_INTERVAL_MS = 50;

/**
 * Shuts the service down at the first signal, after the accepted requests have finished; at the second signal, the process
 * exits at once. SIGHUP counts only if the process has a terminal, which has been closed then.
 */
export function shutDownOnSignal(server: HttpServer, service: Service): void {
  const onSignal = (signal: string) => {
    if (service.readiness.isShuttingDown) return void abort(server, service);
    log('info', 'shutting down', { signal });
    void shutDown(server, service);
  };
  for (const signal of SIGNALS) process.off(signal, endStart).on(signal, onSignal);
  // nohup sets SIGHUP to be ignored, but Node.js resets that at start.
  process.on('SIGHUP', (signal) => {
    if (isatty(0) || isatty(1)) onSignal(signal);
    else log('info', 'signal ignored', { signal });
  });
}

/** The port stays open until the last response is sent, so that new requests get `shutting_down` until then. */
async function shutDown(server: HttpServer, service: Service): Promise<void> {
  const { readiness, settings, pool, store } = service;
  readiness.startDraining();
  await sleep(settings.drainDelayMs);
  const deadline = sleep(settings.drainTimeoutMs);
  await Promise.race([readiness.close().then(() => closeServer(server)), deadline]);
  if (!readiness.isIdle) {
    log('warn', 'shutdown timed out; requests in flight were canceled');
    return abort(server, service);
  }
  server.closeAllConnections();
  // A thread may still decode an image whose client has left.
  const closed = pool.close();
  await Promise.race([closed, deadline]);
  await store?.close();
  await flushSpans();
  await exit(0, closed);
}

/** Cancels all requests and ends the process. */
async function abort(server: HttpServer, { readiness, pool }: Service): Promise<void> {
  server.closeAllConnections();
  // Jobs must know that their clients have left before their threads end, else they fail.
  const closed = readiness.close().then(() => pool.close());
  await exit(1, closed);
}

async function closeServer(server: HttpServer): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  const sweep = setInterval(() => server.openConnections.closeIdle(), SWEEP_INTERVAL_MS);
  await closed;
  clearInterval(sweep);
}
