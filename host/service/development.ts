import { lookup } from 'node:dns/promises';
import { BlockList } from 'node:net';
import { hashKey } from '../auth/api-key.ts';
import type { KeyRecord } from '../auth/key-store.ts';
import { SETTINGS, SettingError, type Settings } from '../config/settings.ts';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** Whether there are no keys but one that the service makes itself. */
export function isDevelopment({ keysFile, store }: Settings): boolean {
  return keysFile === '' && store === '';
}

/**
 * The address to listen on. Without a key file or a store, which is the case in development, it must be a loopback address, unless
 * the settings allow others. Throws `SettingError`.
 */
export async function listenHost(settings: Settings): Promise<string> {
  const { host, development } = settings;
  if (!isDevelopment(settings)) return host;
  const chosen = host === '' ? '127.0.0.1' : host;
  if (development || (await isLoopback(chosen))) return chosen;
  throw new SettingError(
    `${SETTINGS.keysFile.variable} or ${SETTINGS.store.variable} must be set to listen on ${chosen}. For development, ` +
      `${SETTINGS.development.variable}=true allows a development key there.`,
  );
}

/** What the service knows about a development key. */
export function developmentRecord(key: string): KeyRecord {
  return { hash: hashKey(key), account: 'development', tier: 'enterprise' };
}

/** Whether only programs on this machine can connect to a host. Throws if its name has no address. */
async function isLoopback(host: string): Promise<boolean> {
  const addresses = await lookup(host, { all: true });
  return addresses.every(({ address, family }) => LOOPBACK.check(address, family === 6 ? 'ipv6' : 'ipv4'));
}
