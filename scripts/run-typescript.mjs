// Starts a TypeScript file of this project through tsx, with the arguments and the exit code passed on.
import { spawn } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from './packages.mjs';

/** npm passes a signal on to its shell, and a shell may die of it alone; nobody else would tell the child then. */
const ORPHANED_CHECK_MS = 250;

export function runTypeScript(file, args = process.argv.slice(2)) {
  const tsx = pathToFileURL(createRequire(join(root, 'host', 'package.json')).resolve('tsx')).href;
  const child = spawn(process.execPath, ['--import', tsx, join(root, file), ...args], { stdio: 'inherit' });
  // The terminal sends Ctrl-C to both; a supervisor's SIGTERM comes here alone. The child decides when to end.
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid !== parent) end();
  }, ORPHANED_CHECK_MS);
  const end = () => {
    clearInterval(watch);
    child.kill('SIGTERM');
  };
  process.on('SIGTERM', end);
  process.on('SIGINT', () => clearInterval(watch));
  child.on('exit', (code, signal) => {
    if (signal === null) process.exit(code ?? 1);
    process.exit(1);
  });
}
