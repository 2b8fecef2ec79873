import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashKey, mintKey } from './key.ts';
import { type KeyRecord, KeyStore } from './keys.ts';
import { KeysSource } from './keys-source.ts';
import { log } from './log.ts';
import { createHttpServer } from './server.ts';
import { startService } from './service.ts';
import { readSettings, type Settings } from './settings.ts';
import { drainOnSignal } from './shutdown.ts';

/** In the repository, so that the printed line works from its root. */
const SAMPLE_PICTURE = 'test/pictures/logo.png';

async function main(): Promise<void> {
  const settings = readSettings();
  const developmentKey = settings.keysFile === '' ? mintKey() : undefined;
  const keys = new KeyStore(developmentKey === undefined ? [] : [developmentRecord(developmentKey)]);
  if (developmentKey === undefined) await followFile(settings.keysFile, keys);
  const service = await startService(settings, keys);
  const server = createHttpServer(service);
  drainOnSignal(server, service);
  announce(await listen(server, settings), developmentKey);
}

async function followFile(path: string, keys: KeyStore): Promise<void> {
  const source = new KeysSource(path, keys);
  await source.load();
  source.follow();
}

async function listen(server: Server, settings: Settings): Promise<string> {
  server.listen({ port: settings.port, ...(settings.host === '' ? {} : { host: settings.host }) });
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const isWildcard = ['', '0.0.0.0', '::'].includes(settings.host);
  const host = isWildcard ? 'localhost' : settings.host;
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

function developmentRecord(key: string): KeyRecord {
  return { hash: hashKey(key), account: 'development', tier: 'enterprise' };
}

/** To stdout, for the person who started the program; the log goes to stderr. */
function announce(address: string, key: string | undefined): void {
  console.log(`tracesmith listens on ${address}`);
  if (key === undefined) return;
  console.log('No keys file is set, so here is a development key; it is gone when this process ends. Try:');
  console.log(`curl ${address}/v1/vectorize -H 'Authorization: Bearer ${key}' -F file=@${SAMPLE_PICTURE}`);
}

try {
  await main();
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  log('error', 'cannot start', { error: message });
  process.exit(1);
}
