// Proves the service and the npm packages on the other supported versions of Node.js.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { main, runTests, say } from '../lib/command.ts';
import { installPackages } from '../release/package-users.ts';
import { installNodeVersions } from '../setup/node-versions.ts';

const HTTP = ['http', 'operations'].flatMap((folder) =>
  readdirSync(join('test', folder))
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => join('test', folder, name)),
);
const PACKAGES = ['cli', 'native', 'runtimes'].map((name) => join('test', 'package', `${name}.proof.ts`));

main(() => {
  installPackages();
  for (const { version, program, env } of installNodeVersions()) {
    say(`Node.js ${version}`);
    runTests([...HTTP, ...PACKAGES], { node: program, env });
  }
});
