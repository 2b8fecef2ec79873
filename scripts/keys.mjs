import { ensurePackages } from './packages.mjs';
import { runTypeScript } from './run-typescript.mjs';

ensurePackages('run');
runTypeScript('host/cli/keys/main.ts');
