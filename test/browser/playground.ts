import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import sharp from 'sharp';
import { open, type Watched } from './browser.ts';

export const picturePath = (name: string) => fileURLToPath(new URL(`../pictures/${name}`, import.meta.url));

export const said = (page: Page) => page.locator('#status').innerText();

/** Opens the playground and waits until its sample is traced. */
export async function openPlayground(
  browser: Browser,
  address: string,
  options: BrowserContextOptions = {},
): Promise<Watched> {
  const watched = await open(browser, options);
  await watched.page.goto(address);
  await untilSaid(watched.page, /^Traced/);
  return watched;
}

export async function untilSaid(page: Page, words: RegExp): Promise<void> {
  await page.waitForFunction(
    (source) => new RegExp(source).test(document.getElementById('status')?.textContent ?? ''),
    words.source,
  );
}

/** Runs an action that starts a trace, and waits for its end. */
export async function traceAgain(page: Page, work: () => Promise<unknown>): Promise<void> {
  await page.evaluate(() => {
    const status = document.getElementById('status');
    if (status !== null) status.textContent = '';
  });
  await work();
  await untilSaid(page, /^Traced/);
}

/** The path of a file, or a generated file. */
type Given = string | { name: string; mimeType: string; buffer: Buffer };

/** Opens a file in the page, and waits until it is traced. */
export const give = (page: Page, file: Given) => traceAgain(page, () => page.setInputFiles('#file', file));

/** The SVG that the page downloads. */
export async function saved(page: Page): Promise<{ name: string; svg: string }> {
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('#download')]);
  return { name: download.suggestedFilename(), svg: readFileSync(await download.path(), 'utf8') };
}

/** Colors of the viewer, as displayed, at positions from 0 to 1. */
export async function colorsAt(page: Page, ...places: [x: number, y: number][]): Promise<string[]> {
  const { data, info } = await sharp(await page.locator('#viewer').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return places.map(([x, y]) => {
    const at = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return data.subarray(at, at + 3).toString('hex');
  });
}
