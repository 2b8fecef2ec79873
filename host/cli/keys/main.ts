// The command `npm run keys`: manages API keys in the key file or in the store.
import type { KeyRow } from '../../auth/key-file-format.ts';
import type { KeyRegistry } from '../../auth/key-registry.ts';
import { UsageError } from '../parse-args.ts';
import { HELP, type KeyCommand, parseKeyCommand } from './arguments.ts';
import { has, type IssuedKey, idOf, issue, revoke, rotate, stateOf, tierText } from './commands.ts';
import { merged, moveKeys, SETTLE_MS } from './move.ts';
import { type Places, placeOf, placesOf, withPlaces } from './places.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

async function main(): Promise<void> {
  const command = parseKeyCommand(process.argv.slice(2), Date.now());
  if (command === 'help') process.stdout.write(HELP);
  else await withPlaces(command, (places) => run(command, places));
}

async function run(command: KeyCommand, places: Places): Promise<void> {
  if (command.verb === 'move') return move(places, command.to);
  const all = placesOf(places);
  const nowMs = Date.now();
  switch (command.verb) {
    case 'issue': {
      const [place] = all;
      return printKey(await place.change((rows) => issue(rows, command.terms, nowMs)));
    }
    case 'rotate': {
      // Without one, the first place reports that.
      const [place = all[0]] = await holdersOf(all, command.id);
      return printKey(await place.change((rows) => rotate(rows, command.id, command.graceMs, nowMs)));
    }
    case 'revoke':
      return revokeIn(all, command.ids);
    case 'list': {
      const lists = await Promise.all(all.map((place) => place.read()));
      const rows = lists.reduce(merged);
      process.stdout.write(command.asJson ? asJson(rows, nowMs) : asTable(rows, nowMs));
    }
  }
}

async function move(places: Places, to: 'file' | 'store'): Promise<void> {
  const from = to === 'file' ? 'store' : 'file';
  // The store is asked for each key.
  const settleMs = to === 'file' ? SETTLE_MS : 0;
  const count = await moveKeys(placeOf(places, from), placeOf(places, to), settleMs);
  printMessage(`Moved ${count} ${count === 1 ? 'key' : 'keys'} to the ${to}.`);
}

/** Revokes keys wherever they are: while they are being moved, a key can be in two places. */
async function revokeIn(places: [KeyRegistry, ...KeyRegistry[]], ids: string[]): Promise<void> {
  const idsOf = new Map(places.map((place) => [place, [] as string[]]));
  for (const id of ids) {
    const holders = await holdersOf(places, id);
    // Without one, the first place reports that, before anything is changed.
    for (const place of holders.length === 0 ? [places[0]] : holders) idsOf.get(place)?.push(id);
  }
  for (const [place, own] of idsOf) {
    if (own.length === 0) continue;
    for (const row of await place.change((rows) => revoke(rows, own)))
      printMessage(`Revoked key ${idOf(row)} of ${row.account}.`);
  }
}

/** The places that have a key with an id. */
async function holdersOf(places: readonly KeyRegistry[], id: string): Promise<KeyRegistry[]> {
  if (places.length === 1) return [...places];
  const lists = await Promise.all(places.map((place) => place.read()));
  return places.filter((_, at) => has(lists[at] ?? [], id));
}

/** Prints only the key to stdout, so that a script can read it. */
function printKey({ key, row }: IssuedKey): void {
  process.stdout.write(`${key}\n`);
  const expiry = row.expires === undefined ? '' : `, expires ${row.expires}`;
  printMessage(
    `Created key ${idOf(row)} of ${row.account} (${tierText(row)}${expiry}). It will not be shown again.`,
  );
}

function printMessage(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Without hashes, as ids identify the keys. */
function asJson(rows: KeyRow[], nowMs: number): string {
  const list = rows.map((row) => {
    const { hash: _, revoked: __, ...rest } = row;
    return { id: idOf(row), state: stateOf(row, nowMs), ...rest };
  });
  return `${JSON.stringify(list, null, 2)}\n`;
}

const COLUMNS = ['ID', 'ACCOUNT', 'TIER', 'LIMIT', 'STATE', 'EXPIRES', 'CREATED', 'LABEL'];

function asTable(rows: KeyRow[], nowMs: number): string {
  const cells = rows.map((row) => [
    idOf(row),
    row.account,
    row.tier,
    String(row.limit ?? '-'),
    stateOf(row, nowMs),
    row.expires ?? '-',
    row.created ?? '-',
    row.label ?? '',
  ]);
  const table = [COLUMNS, ...cells];
  const widths = COLUMNS.map((_, at) => Math.max(...table.map((line) => line[at]?.length ?? 0)));
  const lines = table.map((line) =>
    line
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  return `${lines.join('\n')}\n`;
}

try {
  await main();
} catch (error) {
  if (!(error instanceof Error)) throw error;
  const isUsageError = error instanceof UsageError;
  printMessage(isUsageError ? `${error.message}\nTry --help.` : error.message);
  process.exitCode = isUsageError ? EXIT_USAGE : EXIT_FAILURE;
}
