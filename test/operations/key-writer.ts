// Adds keys to the file given on the command line until it is killed. Prints each hash after it is stored.

import { changeKeys } from '../../host/auth/key-file.ts';
import { issue } from '../../host/cli/keys/commands.ts';

const [, , file = ''] = process.argv;
for (;;) {
  const { row } = await changeKeys(file, (rows) => issue(rows, { tier: 'free' }, Date.now()));
  process.stdout.write(`${row.hash}\n`);
}
