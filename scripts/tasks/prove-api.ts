// Proves the HTTP interface with programs that know only its documentation: Schemathesis, generated clients, HTTP clients.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { main, root, runTests, say } from '../lib/command.ts';
import { clients, installClients, pythonProgram } from '../setup/http-clients.ts';

main(() => {
  installClients();
  say('The service, as other programs see it');
  const proofs = readdirSync(clients).filter((name) => name.endsWith('.proof.ts'));
  const files = [
    ...proofs.map((name) => join(clients, name)),
    join(root, 'test', 'http', 'examples.test.ts'),
  ];
  runTests(files, { env: { TRACESMITH_PYTHON: pythonProgram('python') } });
});
