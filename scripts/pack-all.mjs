import { ensurePackages } from './packages.mjs';
import { runTypeScript } from './run-typescript.mjs';

ensurePackages('all');
runTypeScript('scripts/pack-all.ts');
