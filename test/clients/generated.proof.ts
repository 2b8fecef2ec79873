import assert from 'node:assert/strict';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { nodeClients, pythonClients, pythonProgram } from '../../scripts/setup/http-clients.ts';
import { Service } from '../http/service.ts';
import { program } from './program.ts';

const picture = fileURLToPath(new URL('../pictures/logo.png', import.meta.url));
let service: Service;
before(async () => {
  service = await Service.start();
  const { text } = await service.get('/openapi.json');
  for (const folder of [nodeClients, pythonClients]) writeFileSync(join(folder, 'openapi.json'), text);
});
after(() => service.stop());

const use = () => [service.url, service.keys.custom, picture];

test('openapi-typescript and openapi-fetch', async () => {
  const cwd = nodeClients;
  const bin = (name: string) => join(cwd, 'node_modules', name);
  const node = (script: string, ...args: string[]) => program(process.execPath, [script, ...args], { cwd });
  const generator = bin('openapi-typescript/bin/cli.js');
  await node(generator, 'openapi.json', '--output', 'generated.d.ts', '--default-non-nullable=false');
  await node(bin('typescript/bin/tsc'));
  await node('built/use.js', ...use());
});

test('openapi-python-client', async () => {
  const cwd = pythonClients;
  rmSync(join(cwd, 'generated'), { recursive: true, force: true });
  const into = ['--output-path', 'generated', '--meta', 'none', '--config', 'generator.yaml'];
  const generate = ['generate', '--path', 'openapi.json', '--fail-on-warning', ...into];
  const said = await program(pythonProgram('openapi-python-client'), generate, { cwd });
  assert.doesNotMatch(said, /warning/i);
  await program(pythonProgram('python'), ['-m', 'compileall', '-q', 'generated'], { cwd });
  await program(pythonProgram('python'), ['use.py', ...use()], { cwd });
});
