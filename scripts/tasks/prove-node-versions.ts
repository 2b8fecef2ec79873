// Proves the service and the npm packages on the other supported versions of Node.js.
import { main, runTests, say, testFiles } from '../lib/command.ts';
import { installPackages } from '../release/package-users.ts';
import { installNodeVersions } from '../setup/node-versions.ts';

const SERVICE = testFiles('http', '.test.ts');
/** Processes, signals and bundles differ between versions. */
const PROCESS = ['built-service', 'lifecycle'].flatMap((name) => testFiles('operations', `${name}.test.ts`));
/** Each version has another HTTP client. */
const CLIENT = testFiles('cli', 'remote.test.ts');
/** Each version has another parser of HTTP. */
const ATTACKS = testFiles('attacks', 'connections.test.ts');
const PACKAGES = ['cli', 'native', 'runtimes'].flatMap((name) => testFiles('package', `${name}.proof.ts`));

main(() => {
  installPackages();
  for (const { version, program, env } of installNodeVersions()) {
    say(`Node.js ${version}`);
    runTests([...SERVICE, ...PROCESS, ...CLIENT, ...ATTACKS, ...PACKAGES], { node: program, env });
  }
});
