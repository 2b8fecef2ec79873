import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashKey, mintKey } from './auth/api-key.ts';
import { KeysSource } from './auth/key-file-watcher.ts';
import { type KeyRecord, KeyStore } from './auth/key-store.ts';
import { readSettings, type Settings, unknownSettings } from './config/settings.ts';
import { describe, log, setLogLevel } from './observability/log.ts';
import { createAdminServer } from './observability/metrics-server.ts';
import { type Service, startService } from './service/dependencies.ts';
import { createHttpServer } from './service/server.ts';
import { drainOnSignal } from './service/shutdown.ts';

/** In the repository, so that the printed line works from its root. */
const SAMPLE_PICTURE = 'test/pictures/logo.png';

async function main(): Promise<void> {
  const settings = readSettings();
  setLogLevel(settings.logLevel);
  for (const variable of unknownSettings()) log('warn', 'unknown setting', { variable });
  const developmentKey = settings.keysFile === '' ? mintKey() : undefined;
  const keys = new KeyStore(developmentKey === undefined ? [] : [developmentRecord(developmentKey)]);
  if (developmentKey === undefined) await followFile(settings.keysFile, keys);
  const service = await startService(settings, keys);
  const server = createHttpServer(service);
  drainOnSignal(server, service);
  const metrics = await listenForAdmin(settings, service);
  announce(await listen(server, settings.host, settings.port), metrics, developmentKey);
}

async function listenForAdmin({ adminHost, adminPort }: Settings, { metrics }: Service) {
  if (adminPort === undefined) return undefined;
  return `${await listen(createAdminServer(metrics), adminHost, adminPort)}/metrics`;
}

async function followFile(path: string, keys: KeyStore): Promise<void> {
  const source = new KeysSource(path, keys);
  await source.load();
  source.follow();
}

/** Resolves with the server's address. */
async function listen(server: Server, host: string, port: number): Promise<string> {
  server.listen({ port, ...(host === '' ? {} : { host }) });
  await once(server, 'listening');
  const { port: taken } = server.address() as AddressInfo;
  const name = ['', '0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `http://${name.includes(':') ? `[${name}]` : name}:${taken}`;
}

function developmentRecord(key: string): KeyRecord {
  return { hash: hashKey(key), account: 'development', tier: 'enterprise' };
}

/** To stdout, for the person who started the program; the log goes to stderr. */
function announce(address: string, metrics: string | undefined, key: string | undefined): void {
  console.log(`tracesmith listens on ${address}`);
  if (metrics !== undefined) console.log(`Metrics are at ${metrics}`);
  if (key === undefined) return;
  console.log('No keys file is set, so here is a development key; it is gone when this process ends. Try:');
  console.log(`curl ${address}/v1/vectorize -H 'Authorization: Bearer ${key}' -F file=@${SAMPLE_PICTURE}`);
}

process.on('uncaughtException', (error) => {
  log('error', 'crashed', { error: describe(error) });
  process.exit(1);
});

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  log('error', 'cannot start', { error: message });
  process.exit(1);
}
