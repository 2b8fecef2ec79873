// Proves the service and the npm packages on the other supported versions of Node.js.
import { main, runTests, runTestsTogether, say, testFiles } from '../lib/command.ts';
import { installPackages } from '../release/package-users.ts';
import { installNodeVersions } from '../setup/node-versions.ts';

/** The parser of HTTP, connections and streams differ between versions; what a request means does not. */
const SERVICE = ['body', 'connections', 'disconnect', 'hostile', 'responses', 'sending'].flatMap((name) =>
  testFiles('http', `${name}.test.ts`),
);
/** Processes, signals and bundles differ between versions. */
const PROCESS = ['built-service', 'lifecycle'].flatMap((name) => testFiles('operations', `${name}.test.ts`));
/** Each version has another HTTP client. */
const CLIENT = testFiles('cli', 'remote.test.ts');
/** Each version has another parser of HTTP. */
const ATTACKS = testFiles('attacks', 'connections.test.ts');
const PACKAGES = ['cli', 'native', 'runtimes'].flatMap((name) => testFiles('package', `${name}.proof.ts`));

main(async () => {
  installPackages();
  const versions = installNodeVersions().map(({ version, program, env }) => ({
    name: `Node.js ${version}`,
    ...{ node: program, env },
  }));
  say(`The service, by ${versions.map(({ name }) => name).join(' and ')} at the same time`);
  await runTestsTogether([...SERVICE, ...PROCESS, ...CLIENT, ...ATTACKS], versions);
  // One after the other: they write to the same folders.
  for (const { name, ...how } of versions) {
    say(`The packages, by ${name}`);
    runTests(PACKAGES, { ...how, concurrency: 1 });
  }
});
