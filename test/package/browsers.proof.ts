import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import { launch, open } from '../browser/browser.ts';
import { program } from '../clients/program.ts';
import { serveFiles } from './files.ts';
import { project, tool, withTools } from './project.ts';
import { start } from './started.ts';

const IMAGES = fileURLToPath(new URL('../../docs/images/', import.meta.url));
const PAGE = `<!doctype html><img id="picture" src="logo.png" alt=""><div id="drawing"></div>
<script type="module" src="main.js"></script>`;

let browser: Browser;
before(async () => {
  browser = await launch();
});
after(() => browser.close());

/** Opens a page that traces the sample picture, and returns its drawing. */
async function drawing(folder: string, added: Record<string, string> = {}): Promise<string> {
  const server = await serveFiles(folder, { 'favicon.ico': '', ...added });
  const { page, complaints } = await open(browser);
  try {
    await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/`);
    await page.locator('#drawing svg').waitFor();
    assert.deepEqual(complaints, []);
    return await page.locator('#drawing').innerHTML();
  } finally {
    await page.close();
    server.closeAllConnections();
    server.close();
  }
}

const isDrawing = (svg: string) =>
  assert.match(svg, /^<svg [^>]*viewBox="0 0 256 256"[^>]*><path .*<\/svg>$/s);

/** Lets a project trace a shaded picture with gradients, whose engine it has to find as well. */
function withGradients(folder: string, file: string): string {
  const path = join(folder, file);
  const code = readFileSync(path, 'utf8');
  assert.ok(code.includes('{ filterSpeckle: 2 }'), code);
  writeFileSync(path, code.replace('{ filterSpeckle: 2 }', '{ gradients: true }'));
  cpSync(join(IMAGES, 'sunset.png'), join(folder, 'logo.png'));
  return folder;
}

const isShaded = (svg: string) => assert.match(svg, /^<svg [^>]*><defs><linearGradient .*<radialGradient /s);

test('a page and a worker, without a bundler', async () => {
  isDrawing(await drawing(project('page')));
  isShaded(await drawing(withGradients(project('page'), 'tracer.js')));
});

test('a tracer, with a bar', async () => {
  isDrawing(await drawing(project('stoppable')));
  isShaded(await drawing(withGradients(project('stoppable'), 'index.html')));
});

const ISOLATED = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

for (const [name, headers] of Object.entries({ 'cross-origin isolated': ISOLATED, 'not isolated': {} })) {
  test(`a tracer in a page that is ${name} stops, and goes on with the next`, async () => {
    const server = await serveFiles(
      project('stoppable'),
      { 'empty.html': '<!doctype html>', 'favicon.ico': '' },
      headers,
    );
    const { page, complaints } = await open(browser);
    try {
      await page.goto(`http://localhost:${(server.address() as AddressInfo).port}/empty.html`);
      const said = await page.evaluate(stopAndGoOn, '/node_modules/tracesmith-wasm/tracer.js');
      assert.equal(said.isolated, headers === ISOLATED);
      assert.deepEqual([said.stopped, said.closed], ['enough', 'closed']);
      assert.match(said.next, /^<svg /);
      assert.deepEqual(complaints, []);
    } finally {
      await page.close();
      server.closeAllConnections();
      server.close();
    }
  });
}

/** Runs in the page. */
async function stopAndGoOn(address: string) {
  const { Tracer } = (await import(address)) as typeof import('tracesmith-wasm/tracer');
  const [width, height] = [1200, 900];
  const data = Uint8Array.from({ length: width * height * 4 }, (_, i) =>
    i % 4 === 3 ? 255 : (i * 2654435761) >>> 24,
  );
  const tracer = new Tracer();
  const control = new AbortController();
  const watch = { onProgress: () => control.abort('enough'), signal: control.signal };
  const stopped = await tracer.trace({ width, height, data }, {}, watch).catch(String);
  const next = await tracer.trace({ width: 1, height: 1, data: Uint8Array.of(1, 2, 3, 255) });
  tracer.close();
  const closed = await tracer
    .trace({ width: 1, height: 1, data: new Uint8Array(4) })
    .catch(({ code }) => code);
  return { isolated: crossOriginIsolated, stopped, next, closed: String(closed) };
}

async function builtByVite(folder: string): Promise<string> {
  await program(process.execPath, [tool('vite/bin/vite.js'), 'build'], { cwd: folder });
  return drawing(join(folder, 'dist'));
}

test('Vite, built', async () => {
  const folder = project('vite');
  writeFileSync(join(folder, 'index.html'), PAGE);
  isDrawing(await builtByVite(folder));
  isShaded(await builtByVite(withGradients(folder, 'tracer.js')));
});

test('Vite, in development', async () => {
  const folder = project('vite');
  writeFileSync(join(folder, 'index.html'), PAGE);
  const command = (port: number) => [
    tool('vite/bin/vite.js'),
    '--host=127.0.0.1',
    `--port=${port}`,
    '--strictPort',
  ];
  const vite = await start(process.execPath, command, folder);
  const { page } = await open(browser);
  try {
    await page.goto(vite.url);
    await page.locator('#drawing svg').waitFor();
    isDrawing(await page.locator('#drawing').innerHTML());
  } finally {
    await page.close();
    await vite.stop();
  }
});

test('a tracer, built by Vite', async () => {
  const folder = project('stoppable');
  const page = join(folder, 'index.html');
  writeFileSync(
    page,
    readFileSync(page, 'utf8').replace('./node_modules/tracesmith-wasm/tracer.js', 'tracesmith-wasm/tracer'),
  );
  writeFileSync(
    join(folder, 'vite.config.js'),
    "export default { worker: { format: 'es' }, build: { target: 'es2022' } };",
  );
  isDrawing(await builtByVite(folder));
  isShaded(await builtByVite(withGradients(folder, 'index.html')));
});

test('esbuild', async () => {
  const folder = project('esbuild');
  await program('sh', ['build.sh'], { cwd: folder, env: withTools() });
  isDrawing(await drawing(folder, { 'index.html': PAGE.replace('main.js', 'built/main.js') }));
});

test('what is not used is left out', async () => {
  const folder = project('esbuild');
  const code = "import { optionTable } from 'tracesmith-wasm'; console.log(optionTable.length);";
  writeFileSync(join(folder, 'table.js'), code);
  const bundled = await program(tool('.bin/esbuild'), ['table.js', '--bundle', '--minify', '--format=esm'], {
    cwd: folder,
  });
  assert.ok(!bundled.includes('WebAssembly') && bundled.length < 3_000, `${bundled.length} bytes`);
});
