import { keyFile } from '../../auth/key-file.ts';
import type { KeyRegistry } from '../../auth/key-registry.ts';
import { readSome, SETTINGS } from '../../config/settings.ts';
import { UsageError } from '../parse-args.ts';
import type { KeyCommand, Place } from './arguments.ts';

/** A command has more time than a request. */
const TIMEOUT_MS = 10_000;

/** The places of keys that a command works on. */
export type Places = Partial<Record<Place, KeyRegistry>>;

/** Runs a command on the places that the settings and the flag --file name. With the flag, only move needs the store. */
export async function withPlaces(
  { file, verb }: Pick<KeyCommand, 'file' | 'verb'>,
  action: (places: Places) => Promise<void>,
): Promise<void> {
  const settings = readSome(['keysFile', 'store']);
  const path = file ?? settings.keysFile;
  const inFile = path === '' ? {} : { file: keyFile(path) };
  if (settings.store === '' || (file !== undefined && verb !== 'move')) return action(inFile);
  const [{ Store }, { StoredKeys }] = await Promise.all([
    import('../../store/store.ts'),
    import('../../store/stored-keys.ts'),
  ]);
  const store = await Store.connect({ url: settings.store, timeoutMs: TIMEOUT_MS });
  try {
    await action({ store: new StoredKeys(store), ...inFile });
  } finally {
    await store.close();
  }
}

/** The places of a command other than move, the one for new keys first. Throws `UsageError` if there is none. */
export function placesOf({ store, file }: Places): [KeyRegistry, ...KeyRegistry[]] {
  const [first, ...others] = [store, file].filter((one) => one !== undefined);
  if (first !== undefined) return [first, ...others];
  const names = `${SETTINGS.keysFile.variable} or ${SETTINGS.store.variable}`;
  throw new UsageError(`No place for keys. Pass --file, or set ${names}.`);
}

/** One place of a move. Throws `UsageError` if it is not known. */
export function placeOf(places: Places, place: Place): KeyRegistry {
  const found = places[place];
  if (found !== undefined) return found;
  const { keysFile, store } = SETTINGS;
  throw new UsageError(
    place === 'file'
      ? `move needs --file or ${keysFile.variable}.`
      : `move needs ${store.variable}, the URL of the store.`,
  );
}
