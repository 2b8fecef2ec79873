import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { type Options, optionTable } from 'tracesmith-wasm';
import { PRESETS } from '../../host/config/presets.ts';
import { form, PICTURES, picture, Service } from '../http/service.ts';
import { launch, noBrowser, open, WINDOWS } from './browser.ts';
import { faintTexts } from './contrast.ts';
import { give, openPlayground, picturePath, said, saved, traceAgain, untilSaid } from './playground.ts';

describe('the playground', { skip: noBrowser }, () => {
  let service: Service;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([Service.start(), launch()]);
  });
  after(() => Promise.all([service.stop(), browser.close()]));

  const opened = (options = {}) => openPlayground(browser, service.url, options);
  const drawn = async (name: string, options: Options = {}) =>
    (await service.post(form(picture(name), options))).json.svg;

  for (const { name, ...window } of WINDOWS) {
    test(`${name}: fits the window, is readable, logs no errors, and sends no requests to other hosts`, async () => {
      const { page, requests, complaints } = await opened(window);
      assert.deepEqual(await faintTexts(page), []);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflowPx <= 0, `${overflowPx} px too wide`);
      assert.deepEqual(complaints, []);
      const elsewhere = requests.filter((url) => !url.startsWith(`${service.url}/`));
      assert.deepEqual(elsewhere, []);
      await page.close();
    });
  }

  test('traces all formats; for formats that browser and service decode alike, the SVG is the same', async () => {
    const { page } = await opened();
    for (const { name, width, height } of PICTURES) {
      await give(page, picturePath(name));
      const { name: file, svg } = await saved(page);
      assert.equal(file, name.replace(/\.\w+$/, '.svg'));
      assert.match(svg, new RegExp(`^<svg [^>]*viewBox="0 0 ${width} ${height}"`));
      if (/gif|bmp/.test(name)) assert.equal(svg, await drawn(name));
    }
    await page.close();
  });

  test('each option has a control with its range, and the same effect as in the service', async () => {
    const { page } = await opened();
    await give(page, picturePath('letters.gif'));
    for (const row of optionTable) {
      const control = page.locator(`[name=${row.name}]`);
      const value =
        row.type === 'choice'
          ? row.choices.find((one) => one !== row.default)
          : row.type === 'flag' || row.max;
      if (row.type === 'number') {
        assert.equal(await control.getAttribute('min'), String(row.min));
        assert.equal(await control.getAttribute('max'), String(row.max));
        assert.equal(await control.inputValue(), String(row.default));
      }
      const set = (to: unknown) =>
        traceAgain(page, () =>
          row.type === 'choice'
            ? control.selectOption(String(to))
            : row.type === 'flag'
              ? control.setChecked(to === true)
              : control.fill(String(to)),
        );
      await set(value);
      assert.equal((await saved(page)).svg, await drawn('letters.gif', { [row.name]: value }), row.name);
      assert.notEqual(await page.locator('#preset').inputValue(), 'standard');
      await set(row.default);
      assert.equal(await page.locator('#preset').inputValue(), 'standard');
    }
    await page.close();
  });

  test('a number can be typed; one out of range is rejected', async () => {
    const { page } = await opened();
    await give(page, picturePath('letters.gif'));
    const number = page.getByLabel('Corner threshold, 0 to 180 degrees');
    await traceAgain(page, () => number.fill('90'));
    assert.equal(await page.locator('[name=cornerThreshold]').inputValue(), '90');
    await number.fill('900');
    await number.blur();
    assert.equal(await number.inputValue(), '90');
    await page.close();
  });

  test('each preset has its options and its description', async () => {
    const { page } = await opened();
    await give(page, picturePath('letters.bmp'));
    for (const { name, description, options } of [...PRESETS].reverse()) {
      await traceAgain(page, () => page.selectOption('#preset', name));
      assert.equal((await saved(page)).svg, await drawn('letters.bmp', options), name);
      assert.equal(await page.locator('#preset-description').innerText(), description);
    }
    await page.close();
  });

  for (const way of ['drop', 'paste'] as const) {
    test(`an image can be opened by ${way}`, async () => {
      const { page } = await opened();
      const bytes = [...picture('letters.gif')];
      await traceAgain(page, () =>
        page.evaluate(
          ({ way, bytes }) => {
            const data = new DataTransfer();
            data.items.add(new File([new Uint8Array(bytes)], 'letters.gif', { type: 'image/gif' }));
            const event =
              way === 'drop'
                ? new DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true })
                : new ClipboardEvent('paste', { clipboardData: data, bubbles: true });
            document.body.dispatchEvent(event);
          },
          { way, bytes },
        ),
      );
      assert.equal((await saved(page)).svg, await drawn('letters.gif'));
      await page.close();
    });
  }

  test('shows statistics, and copies the SVG', async () => {
    const context = await browser.newContext({ permissions: ['clipboard-read', 'clipboard-write'] });
    const page = await context.newPage();
    await page.goto(service.url);
    await untilSaid(page, /^Traced/);
    await give(page, picturePath('letters.gif'));
    const svg = await drawn('letters.gif');
    const paths = svg.match(/<path/g)?.length;
    assert.match(
      await said(page),
      new RegExp(`^Traced in [\\d.]+ m?s: ${paths} paths, [\\d.]+ (kB|bytes)\\.$`),
    );
    const facts = await page.locator('dd').allInnerTexts();
    assert.equal(facts[0], '200 × 100 px');
    assert.match(String(facts[3]), new RegExp(`^${paths} \\(\\d+ nodes\\)$`));
    await page.click('#copy');
    await untilSaid(page, /^Copied/);
    assert.equal(await page.evaluate(() => navigator.clipboard.readText()), svg);
    await context.close();
  });

  test('a file that is not an image gives an error message, and the next image works', async () => {
    const { page } = await opened();
    await page.setInputFiles('#file', { name: 'a.png', mimeType: 'image/png', buffer: Buffer.from('hello') });
    await untilSaid(page, /cannot read this file/);
    assert.ok(await page.locator('#download').isDisabled());
    await give(page, picturePath('letters.gif'));
    await page.close();
  });

  test('a worker whose script could not be loaded is reported, and the next trace starts another one', async () => {
    const { page } = await open(browser);
    const script = '**/trace-worker.js';
    await page.route(script, (route) => route.abort());
    await page.goto(service.url);
    await untilSaid(page, /^The worker failed: its script could not be loaded/);
    await page.unroute(script);
    await give(page, picturePath('letters.gif'));
    await page.close();
  });

  test('all controls have a name and can be reached by keyboard', async () => {
    const { page } = await opened();
    const all = page.locator('button:visible:enabled, input:visible, select:visible, canvas, a');
    const count = await all.count();
    const names: string[] = [];
    for (let index = 0; index < count; index++) {
      await page.keyboard.press('Tab');
      names.push(
        await page.evaluate(() => {
          const focused = document.activeElement as HTMLInputElement | null;
          const labels = [...(focused?.labels ?? [])].map((label) => label.textContent).join('');
          return focused?.getAttribute('aria-label') ?? (labels || (focused?.textContent ?? ''));
        }),
      );
    }
    assert.ok(
      names.every((name) => name.trim() !== ''),
      JSON.stringify(names),
    );
    assert.equal(new Set(names).size, count, JSON.stringify(names));
    await page.close();
  });
});
