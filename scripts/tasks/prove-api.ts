// Proves the HTTP interface with programs that know only its documentation: Schemathesis, generated clients, HTTP clients.
import { main, runTests, say, testFiles } from '../lib/command.ts';
import { installClients, pythonProgram } from '../setup/http-clients.ts';

main(() => {
  installClients();
  say('The service, as other programs see it');
  const files = [...testFiles('clients', '.proof.ts'), ...testFiles('http', 'examples.test.ts')];
  runTests(files, { env: { TRACESMITH_PYTHON: pythonProgram('python') } });
});
