// The HTTP clients that `npm run prove-api` runs against the service.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { cache, npmInstall, root, say } from '../lib/command.ts';
import { installPython, programIn } from './python.ts';

const clients = join(root, 'test', 'clients');
export const nodeClients = join(cache, 'node-clients');
export const pythonClients = join(cache, 'python-clients');

/** A program of the Python clients' virtual environment. */
export const pythonProgram = (name: string) => programIn(join(pythonClients, 'venv'), name);

/** Installs the clients in the cache; takes a few seconds if they are there already. */
export function installClients(): void {
  say('Installing the HTTP clients');
  cpSync(join(clients, 'node'), nodeClients, { recursive: true });
  cpSync(join(clients, 'python'), pythonClients, { recursive: true });
  npmInstall(nodeClients);
  installPython(join(pythonClients, 'venv'), join(pythonClients, 'requirements.txt'));
}
