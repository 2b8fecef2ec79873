// The files of the playground, made from host/playground: the same whether the service sends them or another server does.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { build, stop } from 'esbuild';

/** One file, as it is sent. */
export interface SiteFile {
  type: string;
  bytes: Uint8Array;
  gzipped: Uint8Array;
}

/** Every file there is, by its path below the page's own address. */
export const SITE_TYPES = {
  'index.html': 'text/html; charset=utf-8',
  'playground/page.css': 'text/css; charset=utf-8',
  'playground/page.js': 'text/javascript; charset=utf-8',
  'playground/trace-worker.js': 'text/javascript; charset=utf-8',
  'playground/paint-worker.js': 'text/javascript; charset=utf-8',
  'playground/engine_bg.wasm': 'application/wasm',
  'playground/icon.svg': 'image/svg+xml',
  'playground/sample.png': 'image/png',
} as const;
export type SitePath = keyof typeof SITE_TYPES;

/** Where the service has its engine from, too: tests of an engine that was just built put another in its place. */
const ENGINE = import.meta.resolve('tracesmith-wasm');
const ENTRIES = ['page.css', 'page.ts', 'trace-worker.ts', 'painting/paint-worker.ts'];
const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Bundles and compresses all files. `links` is HTML for the head of the page: what else is found at its address. */
export async function buildSite(links: string): Promise<Map<SitePath, SiteFile>> {
  const contents = { ...readAssets(links), ...(await bundle()) };
  const files = Object.entries(SITE_TYPES).map(async ([path, type]) => {
    const bytes = contents[path];
    if (bytes === undefined) throw new Error(`${path} was not made`);
    return [path as SitePath, { type, bytes, gzipped: await promisify(gzip)(bytes, { level: 9 }) }] as const;
  });
  return new Map(await Promise.all(files));
}

function readAssets(links: string): Record<string, Uint8Array> {
  const page = readFileSync(here('../playground/index.html'), 'utf8');
  return {
    'index.html': Buffer.from(page.replace('<!-- links -->', links)),
    'playground/engine_bg.wasm': readFileSync(new URL('engine_bg.wasm', ENGINE)),
    'playground/icon.svg': readFileSync(here('../playground/icon.svg')),
    'playground/sample.png': readFileSync(here('../playground/sample.png')),
  };
}

async function bundle(): Promise<Record<string, Uint8Array>> {
  const { outputFiles } = await build({
    entryPoints: ENTRIES.map((name) => here(`../playground/${name}`)),
    outdir: here('../playground'),
    alias: { 'tracesmith-wasm': fileURLToPath(ENGINE) },
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    logLevel: 'silent',
  });
  // Its process would stay.
  await stop();
  const named = outputFiles.map(({ path, contents }) => [
    `playground/${path.split(/[\\/]/).at(-1)}`,
    contents,
  ]);
  return Object.fromEntries(named);
}
