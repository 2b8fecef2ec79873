// The command `npm run keys`: manages the key file.
import { changeKeys, readKeys } from '../../auth/key-file.ts';
import type { KeyRow } from '../../auth/key-file-format.ts';
import { readSettings } from '../../config/settings.ts';
import { UsageError } from '../parse-args.ts';
import { HELP, type KeyCommand, parseKeyCommand } from './arguments.ts';
import { type IssuedKey, idOf, issue, revoke, rotate, stateOf, tierText } from './commands.ts';

const EXIT_FAILURE = 1;
const EXIT_USAGE = 2;

async function main(): Promise<void> {
  const command = parseKeyCommand(process.argv.slice(2), Date.now());
  if (command === 'help') process.stdout.write(HELP);
  else await run(command, command.file ?? configuredFile());
}

function configuredFile(): string {
  const { keysFile } = readSettings();
  if (keysFile === '') throw new UsageError('No key file. Pass --file or set TRACESMITH_KEYS_FILE.');
  return keysFile;
}

async function run(command: KeyCommand, file: string): Promise<void> {
  const nowMs = Date.now();
  switch (command.verb) {
    case 'issue':
      return printKey(await changeKeys(file, (rows) => issue(rows, command.terms, nowMs)));
    case 'rotate':
      return printKey(await changeKeys(file, (rows) => rotate(rows, command.id, command.graceMs, nowMs)));
    case 'revoke':
      for (const row of await changeKeys(file, (rows) => revoke(rows, command.ids)))
        printMessage(`Revoked key ${idOf(row)} of ${row.account}.`);
      return;
    case 'list':
      process.stdout.write(
        command.asJson ? asJson(await readKeys(file), nowMs) : asTable(await readKeys(file), nowMs),
      );
  }
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
