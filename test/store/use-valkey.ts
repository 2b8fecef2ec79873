import { after, before } from 'node:test';
import { Redis } from 'ioredis';
import { Valkey } from '../../scripts/processes/valkey.ts';
import { findStoreServer } from '../../scripts/setup/store-server.ts';

/** Options of suites that need a server of the store. In CI they fail without one. */
export const needsValkey = {
  skip:
    findStoreServer() === undefined &&
    !process.env.CI &&
    'there is no Valkey or Redis here: npm run setup installs one',
};

/** A server and a client of it, which looks into it, and changes it behind the back of the service. */
interface Used {
  valkey: Valkey;
  observer: Redis;
}

/** A server for all tests of a file. */
export function useValkey(args: string[] = [], prepare = async (_: Used) => {}): Used {
  const used = {} as Used;
  before(async () => {
    if (needsValkey.skip) return;
    used.valkey = await Valkey.start(...args);
    used.observer = new Redis(used.valkey.url);
    used.observer.on('error', () => {});
    await prepare(used);
  });
  after(async () => {
    used.observer?.disconnect();
    await used.valkey?.stop();
  });
  return used;
}
