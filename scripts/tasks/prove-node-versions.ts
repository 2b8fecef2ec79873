// Proves the service and the npm packages on the other supported versions of Node.js.
import { main, runTests, runTestsTogether, say, testFiles } from '../lib/command.ts';
import { installPackages } from '../release/package-users.ts';
import { buildServiceForTests } from '../release/service-folder.ts';
import { installNodeVersions } from '../setup/node-versions.ts';

/** The test files of these names in a folder. */
const files = (folder: string, ending: string, ...names: string[]) =>
  names.flatMap((name) => testFiles(folder, name + ending));

const SERVICE = [
  // The parser of HTTP, connections and streams differ between versions; what a request means does not.
  ...files('http', '.test.ts', 'body', 'connections', 'disconnect', 'hostile', 'responses', 'sending'),
  ...files('attacks', '.test.ts', 'connections'),
  // Processes, signals and bundles differ as well.
  ...files('operations', '.test.ts', 'built-service', 'lifecycle'),
  // Each version has another HTTP client.
  ...files('cli', '.test.ts', 'remote'),
];
const PACKAGES = files('package', '.proof.ts', 'cli', 'native', 'runtimes');

main(async () => {
  installPackages();
  const built = await buildServiceForTests();
  const versions = installNodeVersions().map(({ version, program, env }) => ({
    name: `Node.js ${version}`,
    ...{ node: program, env: { ...env, ...built } },
  }));
  say(`The service, by ${versions.map(({ name }) => name).join(' and ')} at the same time`);
  await runTestsTogether(SERVICE, versions);
  // One after the other: they write to the same folders.
  for (const { name, ...how } of versions) {
    say(`The packages, by ${name}`);
    runTests(PACKAGES, { ...how, concurrency: 1 });
  }
});
