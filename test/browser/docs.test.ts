import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser } from 'playwright-core';
import { optionTable } from 'tracesmith-wasm';
import { PROBLEM_CODES, problemType } from '../../host/errors/catalog.ts';
import { HEADERS } from '../../host/openapi/headers.ts';
import { Service } from '../http/service.ts';
import { launch, noBrowser, open, WINDOWS } from './browser.ts';
import { faintTexts } from './contrast.ts';

describe('the API reference page', { skip: noBrowser }, () => {
  let service: Service;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([Service.start(), launch()]);
  });
  after(() => Promise.all([service.stop(), browser.close()]));

  for (const { name, ...window } of WINDOWS) {
    test(`${name}: fits the window, is readable, and loads no other files`, async () => {
      const { page, requests, complaints } = await open(browser, window);
      await page.goto(`${service.url}/docs`);
      assert.deepEqual(await faintTexts(page), []);
      const overflowPx = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflowPx <= 0, `${overflowPx} px too wide`);
      assert.deepEqual([requests, complaints], [[`${service.url}/docs`], []]);
      await page.close();
    });
  }

  test('contains everything in the document', async () => {
    const { page } = await open(browser);
    await page.goto(`${service.url}/docs`);
    const rows = await page.locator('tr').allInnerTexts();
    const hasRow = (...cells: string[]) => rows.some((row) => cells.every((cell) => row.includes(cell)));
    for (const code of PROBLEM_CODES) assert.ok(hasRow(code, String(problemType(code).status)), code);
    for (const name of Object.keys(HEADERS)) assert.ok(hasRow(name), name);
    for (const row of optionTable) {
      const range =
        row.type === 'choice' ? row.choices : row.type === 'number' ? [`${row.min}–${row.max}`] : [];
      assert.ok(hasRow(row.name, String(row.default), ...range), row.name);
    }
    await page.close();
  });

  test('its links have targets', async () => {
    const { page } = await open(browser);
    await page.goto(`${service.url}/docs`);
    const targets = await page
      .locator('a')
      .evaluateAll((links) => links.map((link) => String(link.getAttribute('href'))));
    const broken = await page.evaluate(
      (all) => all.filter((target) => target.startsWith('#') && !document.getElementById(target.slice(1))),
      targets,
    );
    assert.deepEqual(broken, []);
    assert.deepEqual(
      targets.filter((target) => !target.startsWith('#')),
      ['/openapi.json'],
    );
    await page.close();
  });
});
