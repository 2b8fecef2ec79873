import assert from 'node:assert/strict';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { findChromium } from '../../scripts/setup/chromium.ts';

const executablePath = findChromium();

/** The reason to skip the browser tests on this machine. In CI, they must run. */
export const noBrowser =
  executablePath === undefined && !process.env.CI && 'no Chromium here; TRACESMITH_CHROMIUM may name one';

/** Starts Chromium without background network requests. */
export function launch(): Promise<Browser> {
  assert.ok(executablePath, 'CI needs Chromium');
  const quiet = ['--disable-background-networking', '--disable-component-update', '--disable-sync'];
  const args = ['--disable-gpu', '--no-first-run', '--disable-quic', ...quiet];
  // Chromium's sandbox does not work for root, which containers often use.
  const root = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  return chromium.launch({ executablePath, args: [...args, ...root] });
}

/** The windows in which pages are tested. */
export const WINDOWS = [
  { name: 'desktop, light', viewport: { width: 1280, height: 900 }, colorScheme: 'light' },
  { name: 'desktop, dark', viewport: { width: 1280, height: 900 }, colorScheme: 'dark' },
  { name: 'phone, light', viewport: { width: 360, height: 740 }, colorScheme: 'light' },
  { name: 'phone, dark', viewport: { width: 360, height: 740 }, colorScheme: 'dark' },
] as const satisfies (BrowserContextOptions & { name: string })[];

/** A page, with the URLs it requested and its errors and warnings. */
export interface Watched {
  page: Page;
  requests: string[];
  complaints: string[];
}

export async function open(browser: Browser, options: BrowserContextOptions = {}): Promise<Watched> {
  const page = await browser.newPage(options);
  // tsx wraps named functions in a call of __name, including those that run in the page.
  await page.addInitScript('globalThis.__name = (named) => named');
  const watched: Watched = { page, requests: [], complaints: [] };
  page.on('request', (request) => watched.requests.push(request.url()));
  page.on('pageerror', (error) => watched.complaints.push(String(error)));
  page.on('console', (message) => {
    if (['error', 'warning'].includes(message.type())) watched.complaints.push(message.text());
  });
  return watched;
}
