// Builds the npm package of the command line.
import { copyFileSync, cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type BuildResult, buildSync } from 'esbuild';
import { cache, root, StepFailed } from '../lib/command.ts';
import { copyLicenses, LICENSES, NOTICES } from '../package/notices.ts';

export const cliPackage = join(cache, 'cli');

/** The program, and the code of its worker threads. */
const ENTRIES = { tracesmith: 'host/cli/main.ts', 'tracing/worker': 'host/tracing/worker.mjs' };
/** The module that decodes small PNG files, and the licenses of the crates in it. */
const FILES = { 'image/png/png.wasm': 'host/image/png/png.wasm', [NOTICES]: `host/image/png/${NOTICES}` };
/** If it is missing or has no binary for the machine, the program uses WebAssembly. */
const OPTIONAL = 'tracesmith-native';
/** In this repository they are workspaces; published, they have this package's version. */
const OURS = ['tracesmith-wasm', OPTIONAL];

/** Bundles the project's own files; npm packages become dependencies, with the version ranges of the host. */
export function assembleCli(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { metafile } = buildSync({
    absWorkingDir: root,
    entryPoints: ENTRIES,
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    conditions: ['bundled'],
    packages: 'external',
    platform: 'node',
    target: 'node20.16',
    format: 'esm',
    metafile: true,
    logLevel: 'error',
  });
  for (const [name, path] of Object.entries(FILES)) cpSync(join(root, path), join(folder, name));
  copyLicenses(folder);
  copyFileSync(join(root, 'host', 'cli', 'README.md'), join(folder, 'README.md'));
  const text = JSON.stringify(description(externals(metafile)), undefined, 2);
  writeFileSync(join(folder, 'package.json'), `${text}\n`);
}

/** The npm packages that the bundles import. */
function externals(metafile: NonNullable<BuildResult['metafile']>): string[] {
  const imports = Object.values(metafile.outputs).flatMap((output) => output.imports);
  const names = imports.filter(({ path, external }) => external && !path.startsWith('node:'));
  return [...new Set(names.map(({ path }) => path))].sort();
}

function description(packages: string[]): object {
  const { version, license, engines, dependencies } = JSON.parse(
    readFileSync(join(root, 'host', 'package.json'), 'utf8'),
  );
  const range = (name: string): string => {
    const found = OURS.includes(name) ? version : dependencies[name];
    if (found === undefined)
      throw new StepFailed(
        `the command line imports ${name}, which is not a dependency in host/package.json`,
      );
    return found;
  };
  const needed = packages.filter((name) => name !== OPTIONAL);
  return {
    name: 'tracesmith',
    version,
    description:
      'Raster image to SVG, on the command line: PNG, JPEG, WebP, GIF and BMP; files, folders and pipes',
    type: 'module',
    license,
    engines,
    keywords: ['svg', 'vectorize', 'trace', 'image', 'cli'],
    bin: { tracesmith: './tracesmith.mjs' },
    files: [...Object.keys(ENTRIES).map((name) => `${name}.mjs`), ...Object.keys(FILES), ...LICENSES],
    dependencies: Object.fromEntries(needed.map((name) => [name, range(name)])),
    optionalDependencies: { [OPTIONAL]: range(OPTIONAL) },
  };
}
