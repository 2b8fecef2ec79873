// Starts the HTTP service.
import './service/early-signals.ts';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readSettings, type Settings, unknownSettings } from './config/settings.ts';
import { describe, log, setLogLevel } from './observability/log.ts';
import { Metrics } from './observability/metrics.ts';
import { createAdminServer } from './service/admin-server.ts';
import { developmentBackend, openBackend } from './service/backend.ts';
import { type Service, startService } from './service/dependencies.ts';
import { isDevelopment, listenHost } from './service/development.ts';
import { exit } from './service/exit.ts';
import { HttpServer } from './service/server.ts';
import { shutDownOnSignal } from './service/shutdown.ts';

/** For the printed command, which is to be run in the root of the repository. */
const SAMPLE_IMAGE = 'docs/images/logo.png';

/** Connections that the system accepts before the service does; with the default of 511, clients of a burst wait for seconds. */
const BACKLOG = 4_096;

/** While all workers decode large images, threads remain for a small image, for reading sizes and for the key file. */
const SPARE_POOL_THREADS = 2;

async function main(): Promise<void> {
  const settings = readSettings();
  setLogLevel(settings.logLevel);
  for (const variable of unknownSettings()) log('warn', 'unknown setting', { variable });
  if (settings.threadPoolSize < settings.workers + SPARE_POOL_THREADS)
    log('info', 'UV_THREADPOOL_SIZE is small for the number of workers', { workers: settings.workers });
  const host = await listenHost(settings);
  const metrics = new Metrics();
  const { backend, key } = isDevelopment(settings)
    ? developmentBackend()
    : { backend: await openBackend(settings, metrics), key: undefined };
  const service = await startService(settings, backend, metrics);
  const server = new HttpServer(service);
  shutDownOnSignal(server, service);
  const metricsUrl = await startAdminServer(settings, service);
  printAddresses(await listen(server, host, settings.port), metricsUrl, key);
}

async function startAdminServer({ adminHost, adminPort }: Settings, service: Service) {
  if (adminPort === undefined) return undefined;
  return `${await listen(createAdminServer(service), adminHost, adminPort)}/metrics`;
}

/** Resolves to the server's URL. */
async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen({ port, backlog: BACKLOG, ...(host === '' ? {} : { host }) });
  await once(server, 'listening');
  const { port: actualPort } = server.address() as AddressInfo;
  const name = ['', '0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${actualPort}`;
}

/** Prints to stdout, for the person who started the service; the log goes to stderr. */
function printAddresses(url: string, metricsUrl: string | undefined, key: string | undefined): void {
  console.log(`tracesmith listens on ${url}`);
  if (metricsUrl !== undefined) console.log(`Metrics: ${metricsUrl}`);
  if (key === undefined) return;
  console.log(
    'Neither TRACESMITH_KEYS_FILE nor TRACESMITH_STORE is set. This development key is valid until the process ends:',
  );
  console.log(`curl ${url}/v1/vectorize -H 'Authorization: Bearer ${key}' -F file=@${SAMPLE_IMAGE}`);
}

process.on('uncaughtException', (error) => {
  log('error', 'crashed', { error: describe(error) });
  void exit(1);
});

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  log('error', 'cannot start', { error: message });
  await exit(1);
}
