import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateKey, hashKey } from '../../../host/auth/api-key.ts';
import { KeyStore } from '../../../host/auth/key-store.ts';
import { readSettings, type Settings } from '../../../host/config/settings.ts';
import { LocalLimiter } from '../../../host/limits/local-limiter.ts';
import { type Service, startService } from '../../../host/service/dependencies.ts';
import { HttpServer } from '../../../host/service/server.ts';

/** The rate limit of the account: requests in any 60 seconds. */
export const RATE = 1000;

/** The service in the process of the test, so that a test can cause internal faults. It listens on a real socket. */
export class InProcessService {
  readonly service: Service;
  readonly server: Server;
  readonly key: string;
  readonly keys: KeyStore;
  readonly #limiter: LocalLimiter;

  private constructor(service: Service, server: Server, key: string, keys: KeyStore, limiter: LocalLimiter) {
    this.service = service;
    this.#limiter = limiter;
    this.server = server;
    this.key = key;
    this.keys = keys;
  }

  static async start(settings: Partial<Settings>): Promise<InProcessService> {
    const key = generateKey();
    const keys = new KeyStore([{ hash: hashKey(key), account: 'inside', tier: 'pro', limit: RATE }]);
    const limiter = new LocalLimiter();
    const service = await startService({ ...readSettings({}), workers: 1, ...settings }, { keys, limiter });
    const server = new HttpServer(service).listen(0);
    await once(server, 'listening');
    return new InProcessService(service, server, key, keys, limiter);
  }

  get port(): number {
    return (this.server.address() as AddressInfo).port;
  }

  get account() {
    return {
      id: 'inside',
      tier: 'pro',
      requestsPerMinute: RATE,
      maxConcurrent: this.service.settings.proConcurrency,
    } as const;
  }

  /** What the rate limit of the account leaves. */
  get remaining(): number {
    const { release, refund } = this.#limiter.record(this.account);
    release();
    return Number(refund()['X-RateLimit-Remaining']);
  }

  /** Takes all concurrent requests of the account; the result gives them back. */
  useUpConcurrency(): () => void {
    const admitted = Array.from({ length: this.account.maxConcurrent }, () =>
      this.#limiter.record(this.account),
    );
    for (const { refund } of admitted) refund();
    return () => admitted.forEach(({ release }) => void release());
  }

  /** Counts all requests that the rate limit of the account leaves; the result gives them back. */
  useUpRate(): () => void {
    const counted = Array.from({ length: this.remaining }, () => {
      const admission = this.#limiter.record(this.account);
      admission.release();
      return admission;
    });
    return () => counted.forEach(({ refund }) => void refund());
  }

  /** Takes all memory for uploads and responses; the result gives it back. */
  useUpTransferMemory(): () => void {
    return (
      this.service.transferMemory.reserve(Number.MAX_SAFE_INTEGER)?.release ?? assert.fail('some was in use')
    );
  }

  async stop(): Promise<void> {
    this.server.close();
    this.server.closeAllConnections();
    await this.service.pool.close();
  }
}
