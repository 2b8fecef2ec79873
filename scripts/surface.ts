import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root, runNode } from './command.ts';

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
  const files = [join(bindings, `${binding}.ts`), join(bindings, 'engine.d.ts')];
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(project, JSON.stringify(settings));
  runNode('typescript/bin/tsc', ['-p', project]);
  for (const extension of ['js', 'd.ts']) {
    renameSync(join(folder, `${binding}.${extension}`), join(folder, `index.${extension}`));
  }
  rmSync(project);
}
