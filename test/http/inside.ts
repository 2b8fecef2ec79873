import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hashKey, mintKey } from '../../host/auth/api-key.ts';
import { KeyStore } from '../../host/auth/key-store.ts';
import { readSettings, type Settings } from '../../host/config/settings.ts';
import { type Service, startService } from '../../host/service/dependencies.ts';
import { createHttpServer } from '../../host/service/server.ts';

/** Requests in any 60 seconds of the account whose key is `key`. */
export const RATE = 1000;

/** The service in this process, so that a test can make fail what does not fail when asked to; the socket is a real one. */
export class Inside {
  readonly service: Service;
  readonly server: Server;
  readonly key: string;
  readonly keys: KeyStore;

  private constructor(service: Service, server: Server, key: string, keys: KeyStore) {
    this.service = service;
    this.server = server;
    this.key = key;
    this.keys = keys;
  }

  static async start(settings: Partial<Settings>): Promise<Inside> {
    const key = mintKey();
    const keys = new KeyStore([{ hash: hashKey(key), account: 'inside', tier: 'pro', limit: RATE }]);
    const service = await startService({ ...readSettings({}), workers: 1, ...settings }, keys);
    const server = createHttpServer(service).listen(0);
    await once(server, 'listening');
    return new Inside(service, server, key, keys);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get account() {
    return {
      id: 'inside',
      tier: 'pro',
      perMinute: RATE,
      atOnce: this.service.settings.proConcurrency,
    } as const;
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.service.pool.close();
  }
}
