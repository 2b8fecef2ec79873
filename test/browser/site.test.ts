import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Browser } from 'playwright-core';
import sharp from 'sharp';
import { SITE_PATHS, SITE_TYPES, type SitePath } from '../../host/site/files.ts';
import { program } from '../clients/program.ts';
import { picture, Service } from '../http/service.ts';
import { launch, noBrowser } from './browser.ts';
import { longestTaskMs } from './main-thread.ts';
import { give, openPlayground, picturePath, saved } from './playground.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MAX_BYTES = 400_000;
const MAX_TASK_MS = 100;

let service: Service;
before(async () => {
  service = await Service.start();
});
after(() => service.stop());

describe('the files of the playground', () => {
  const ask = (path: string, encoding: string) =>
    fetch(`${service.url}/${path}`, { headers: { 'accept-encoding': encoding } });

  test('their total size is small', async () => {
    const sizes = await Promise.all(
      SITE_PATHS.map(async (path) =>
        Number((await ask(path === 'index.html' ? '' : path, 'gzip')).headers.get('content-length')),
      ),
    );
    const sum = sizes.reduce((total, size) => total + size, 0);
    assert.ok(sizes.every((size) => size > 0) && sum < MAX_BYTES, `${sizes.join(' + ')} = ${sum} bytes`);
  });

  test('are the same with and without compression, with their types', async () => {
    for (const path of SITE_PATHS.filter((one) => one !== 'index.html')) {
      const [zipped, plain] = [await ask(path, 'br, gzip'), await ask(path, 'gzip;q=0')];
      assert.deepEqual([zipped.status, plain.status], [200, 200]);
      assert.deepEqual(
        [zipped.headers.get('content-encoding'), plain.headers.get('content-encoding')],
        ['gzip', null],
      );
      assert.equal(plain.headers.get('content-type'), SITE_TYPES[path]);
      assert.equal(plain.headers.get('x-content-type-options'), 'nosniff');
      assert.ok(plain.headers.get('content-security-policy'));
      assert.ok(Buffer.from(await zipped.arrayBuffer()).equals(Buffer.from(await plain.arrayBuffer())), path);
    }
  });
});

describe('the playground in a browser', { skip: noBrowser }, () => {
  let browser: Browser;
  before(async () => {
    browser = await launch();
  });
  after(() => browser.close());

  test('stays responsive while it traces and shows four megapixels', async () => {
    const { page } = await openPlayground(browser, service.url);
    // From a file: with bytes, the page itself would have to decode the message.
    const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
    const large = join(folder, 'large.png');
    await sharp(picture('landscape.jpg')).resize(2400, 1700, { fit: 'fill' }).png().toFile(large);
    const longestMs = await longestTaskMs(browser, page, async () => {
      await give(page, large);
      await page.locator('#viewer').focus();
      for (const key of ['+', '+', 'ArrowLeft', '0']) await page.keyboard.press(key);
    });
    rmSync(folder, { recursive: true });
    assert.ok(longestMs > 0 && longestMs <= MAX_TASK_MS, `a task of ${longestMs} ms`);
    await page.close();
  });

  describe('as static files in a folder of another server', () => {
    let folder: string;
    let server: Server;
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
      await program(process.execPath, ['--import', 'tsx', 'scripts/tasks/site.ts', folder], { cwd: ROOT });
      server = createServer((request, response) => {
        const path = (request.url ?? '').replace('/some/place/', '') || 'index.html';
        const type = SITE_TYPES[path as SitePath];
        if (type === undefined) return response.writeHead(404).end();
        return response.writeHead(200, { 'Content-Type': type }).end(readFileSync(join(folder, path)));
      }).listen(0);
      await once(server, 'listening');
    });
    after(() => {
      server.close();
      server.closeAllConnections();
      rmSync(folder, { recursive: true });
    });

    test('works the same', async () => {
      const { port } = server.address() as AddressInfo;
      const { page, complaints } = await openPlayground(browser, `http://localhost:${port}/some/place/`);
      await give(page, picturePath('letters.gif'));
      assert.match((await saved(page)).svg, /^<svg [^>]*viewBox="0 0 200 100"/);
      assert.deepEqual(complaints, []);
      assert.equal(await page.locator('a').count(), 0, 'a link to a service that is not there');
      await page.close();
    });
  });
});
