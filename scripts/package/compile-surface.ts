import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cache, root, runNode } from '../lib/command.ts';

/** The modules that users import or that start as workers. */
const ENTRIES = { wasm: ['index.ts', 'tracer.ts', 'tracer-worker.ts'], node: ['index.ts'] };

/** Compiles a binding's surface: replaces `folder`, with bindings/surface/shared in `folder`/shared. */
export function compileSurface(binding: 'wasm' | 'node', folder: string): void {
  const surface = join(root, 'bindings', 'surface');
  const compiled = join(cache, `surface-${binding}`);
  const project = join(cache, `tsconfig.${binding}.json`);
  rmSync(compiled, { recursive: true, force: true });
  mkdirSync(compiled, { recursive: true });
  const compilerOptions = {
    noEmit: false,
    declaration: true,
    rewriteRelativeImportExtensions: true,
    rootDir: surface,
    outDir: compiled,
    typeRoots: [join(root, 'node_modules', '@types')],
  };
  const files = ENTRIES[binding].map((name) => join(surface, binding, name));
  const settings = { extends: join(root, 'tsconfig.json'), compilerOptions, files, include: [] };
  writeFileSync(project, JSON.stringify(settings));
  runNode('typescript/bin/tsc', ['-p', project]);
  // The entries stand at the package's root, where users' import maps and servers look for them.
  for (const name of readdirSync(join(compiled, binding))) {
    const file = join(compiled, binding, name);
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll("'../shared/", "'./shared/"));
  }
  rmSync(folder, { recursive: true, force: true });
  cpSync(join(compiled, binding), folder, { recursive: true });
  cpSync(join(compiled, 'shared'), join(folder, 'shared'), { recursive: true });
  rmSync(compiled, { recursive: true });
  rmSync(project);
}
