// Builds the playground. The service and any static file server can serve the files.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build, stop } from 'esbuild';
import { SERVICE_LINKS, SITE_TYPES, type Site, type SitePath } from './files.ts';

/** The package that the service uses. Tests of a new engine redirect this import. */
const ENGINE = import.meta.resolve('tracesmith-wasm');
const ENTRIES = ['page.css', 'page.ts', 'trace-worker.ts', 'painting/paint-worker.ts'];
const resolvePath = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Builds the site of the service. */
export const loadSite = (): Promise<Site> => buildSite(SERVICE_LINKS);

/** Bundles and compresses all files. `links` is HTML for the header of the page, with links to other pages of the server. */
export async function buildSite(links: string): Promise<Site> {
  const contents = { ...readAssets(links), ...(await bundle()) };
  const files = Object.entries(SITE_TYPES).map(async ([path, type]) => {
    const bytes = contents[path];
    if (bytes === undefined) throw new Error(`${path} was not built`);
    return [path as SitePath, { type, bytes, gzipped: await promisify(gzip)(bytes, { level: 9 }) }] as const;
  });
  return new Map(await Promise.all(files));
}

function readAssets(links: string): Record<string, Uint8Array> {
  const page = readFileSync(resolvePath('../playground/index.html'), 'utf8');
  return {
    'index.html': Buffer.from(page.replace('<!-- links -->', links)),
    'playground/engine_gradients_bg.wasm': readFileSync(new URL('engine_gradients_bg.wasm', ENGINE)),
    'playground/icon.svg': readFileSync(resolvePath('../playground/icon.svg')),
    'playground/sample.png': readFileSync(resolvePath('../playground/sample.png')),
  };
}

async function bundle(): Promise<Record<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((name) => resolvePath(`../playground/${name}`)),
    outdir: resolvePath('../playground'),
    alias: { 'tracesmith-wasm': fileURLToPath(ENGINE) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  // esbuild's service process would keep running.
  await stop();
  const entries = outputFiles.map(({ path, contents }) => [
    `playground/${path.split(/[\\/]/).at(-1)}`,
    contents,
  ]);
  return Object.fromEntries(entries);
}
