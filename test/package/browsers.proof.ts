import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { launch, open } from '../browser/browser.ts';
import { program } from '../clients/program.ts';
import { serveFiles } from './files.ts';
import { project, tool, withTools } from './project.ts';
import { start } from './started.ts';

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

test('a page and a worker, without a bundler', async () => {
  isDrawing(await drawing(project('page')));
});

test('Vite, built', async () => {
  const folder = project('vite');
  writeFileSync(join(folder, 'index.html'), PAGE);
  await program(process.execPath, [tool('vite/bin/vite.js'), 'build'], { cwd: folder });
  const picture = join(folder, 'dist');
  isDrawing(await drawing(picture));
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
