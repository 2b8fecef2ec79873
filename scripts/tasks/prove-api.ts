// Proves the interface with programs that know it only by its documents: Schemathesis, generated clients, other HTTP clients.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { main, root, run, say } from '../lib/command.ts';
import { clients, ensureClients, pythonProgram } from '../setup/http-clients.ts';

main(() => {
  ensureClients();
  say('The service, as other programs see it');
  const tsx = pathToFileURL(join(root, 'node_modules', 'tsx', 'dist', 'loader.mjs')).href;
  const proofs = readdirSync(clients).filter((name) => name.endsWith('.proof.ts'));
  const files = [
    ...proofs.map((name) => join(clients, name)),
    join(root, 'test', 'http', 'examples.test.ts'),
  ];
  run(process.execPath, ['--import', tsx, '--test', '--test-reporter=spec', ...files], {
    env: { TRACESMITH_PYTHON: pythonProgram('python') },
  });
});
