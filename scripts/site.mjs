import { ensurePackages } from './packages.mjs';
import { runTypeScript } from './run-typescript.mjs';

ensurePackages('run');
runTypeScript('scripts/site.ts');
