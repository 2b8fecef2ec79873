import { changeKeys, readKeys } from '../../auth/key-file.ts';
import type { KeyRow } from '../../auth/key-file-format.ts';
import { readSettings } from '../../config/settings.ts';
import { UsageError } from '../parse-args.ts';
import { HELP, type KeyCommand, parseKeyCommand } from './arguments.ts';
import { type Issued, idOf, issue, revoke, rotate, stateOf, tierOf } from './commands.ts';

const FAILED = 1;
const MISUSED = 2;

async function main(): Promise<void> {
  const command = parseKeyCommand(process.argv.slice(2), Date.now());
  if (command === 'help') process.stdout.write(HELP);
  else await run(command, command.file ?? settledFile());
}

function settledFile(): string {
  const { keysFile } = readSettings();
  if (keysFile === '')
    throw new UsageError('Name the keys file: --file, or the variable TRACESMITH_KEYS_FILE.');
  return keysFile;
}

async function run(command: KeyCommand, file: string): Promise<void> {
  const nowMs = Date.now();
  switch (command.verb) {
    case 'issue':
      return hand(await changeKeys(file, (rows) => issue(rows, command.terms, nowMs)));
    case 'rotate':
      return hand(await changeKeys(file, (rows) => rotate(rows, command.id, command.graceMs, nowMs)));
    case 'revoke':
      for (const row of await changeKeys(file, (rows) => revoke(rows, command.ids)))
        say(`revoked ${idOf(row)} of ${row.account}`);
      return;
    case 'list':
      process.stdout.write(
        command.asJson ? asJson(await readKeys(file), nowMs) : asTable(await readKeys(file), nowMs),
      );
  }
}

/** The key alone on stdout, for a variable or a pipe; it cannot be shown again. */
function hand({ key, row }: Issued): void {
  process.stdout.write(`${key}\n`);
  const until = row.expires === undefined ? '' : `, until ${row.expires}`;
  say(`key ${idOf(row)} of ${row.account}, ${tierOf(row)}${until}. It is not shown again.`);
}

function say(text: string): void {
  process.stderr.write(`${text}\n`);
}

/** Hashes stay in the file: ids are enough to name a key. */
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
  const isMisuse = error instanceof UsageError;
  say(isMisuse ? `${error.message}\nTry --help.` : error.message);
  process.exitCode = isMisuse ? MISUSED : FAILED;
}
