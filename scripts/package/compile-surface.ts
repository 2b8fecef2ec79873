import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root, runNode } from '../lib/command.ts';

/** The modules that users import or that start as workers. */
const ENTRIES = { wasm: ['wasm.ts', 'tracer.ts', 'tracer-worker.ts'], native: ['native.ts'] };

/** Compiles the TypeScript surface of one binding into `folder`, its entry as index.js. */
export function compileSurface(binding: 'wasm' | 'native', folder: string): void {
  mkdirSync(cache, { recursive: true });
  mkdirSync(folder, { recursive: true });
  const project = join(cache, `tsconfig.${binding}.json`);
  const bindings = join(root, 'bindings');
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: bindings,
    outDir: folder,
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  const entries = ENTRIES[binding].map((name) => join(bindings, name));
  const files = [...entries, join(bindings, 'engine.d.ts')];
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(project, JSON.stringify(settings));
  runNode('typescript/bin/tsc', ['-p', project]);
  for (const extension of ['js', 'd.ts']) {
    renameSync(join(folder, `${binding}.${extension}`), join(folder, `index.${extension}`));
  }
  for (const name of readdirSync(folder).filter((name) => name.endsWith('.js'))) {
    const file = join(folder, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(`'./${binding}.js'`, "'./index.js'"));
  }
  rmSync(project);
}
