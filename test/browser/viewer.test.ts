import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import sharp from 'sharp';
import { shaded } from '../engine/images.ts';
import { Service } from '../http/service.ts';
import { launch, noBrowser } from './browser.ts';
import { colorsAt, give, openPlayground, saved, traceAgain, untilSaid } from './playground.ts';

const DEADLINE_MS = 10_000;
/** Half a step of the ramp's fastest channel from one pixel to the next, rounding, and the display's scaling. */
const NEAR_LEVELS = 4;
const [RED, BLUE, GREEN] = ['e00020', '2040e0', '00a040'];

/** An image of two halves, with a speckle in the left one. */
async function twoHalves(): Promise<Buffer> {
  const half = (color: string) => ({
    create: { width: 40, height: 80, channels: 3, background: `#${color}` } as const,
  });
  const right = await sharp(half(BLUE)).png().toBuffer();
  // The engine absorbs it as a speckle: it is in the image but not in the SVG.
  const speckle = { create: { width: 2, height: 2, channels: 3, background: `#${GREEN}` } as const };
  const dot = await sharp(speckle).png().toBuffer();
  return sharp(half(RED))
    .extend({ right: 40, background: `#${RED}` })
    .composite([
      { input: right, left: 40, top: 0 },
      { input: dot, left: 20, top: 40 },
    ])
    .png()
    .toBuffer();
}

describe('the viewer', { skip: noBrowser }, () => {
  let service: Service;
  let browser: Browser;
  before(async () => {
    [service, browser] = await Promise.all([Service.start(), launch()]);
  });
  after(() => Promise.all([service.stop(), browser.close()]));

  const opened = async (): Promise<Page> => {
    const { page } = await openPlayground(browser, service.url, { viewport: { width: 1000, height: 800 } });
    await give(page, { name: 'two.png', mimeType: 'image/png', buffer: await twoHalves() });
    return page;
  };
  const zoomShown = (page: Page) => page.locator('#zoom').innerText();

  /** Waits until the viewer, which a worker paints, has these colors at these positions. */
  async function untilColors(page: Page, expected: [x: number, y: number, color: string][]): Promise<void> {
    const places = expected.map(([x, y]): [number, number] => [x, y]);
    const wanted = expected.map(([, , color]) => color);
    const end = performance.now() + DEADLINE_MS;
    let seen: string[] = [];
    do seen = await colorsAt(page, ...places);
    while (seen.join() !== wanted.join() && performance.now() < end);
    assert.deepEqual(seen, wanted);
  }

  async function splitTo(page: Page, percent: number): Promise<void> {
    await page.locator('#split').fill(String(percent));
  }

  /** Moves the speckle to the center of the viewer and zooms in. */
  async function lookAtSpeckle(page: Page): Promise<void> {
    const box = await page.locator('#viewer').boundingBox();
    assert.ok(box);
    const scale = Number.parseInt(await zoomShown(page), 10) / 100;
    const at = { x: box.x + box.width / 2 - 19 * scale, y: box.y + box.height / 2 + 1 * scale };
    await page.mouse.move(at.x, at.y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2, { steps: 4 });
    await page.mouse.up();
    await page.locator('#viewer').focus();
    for (let step = 0; step < 25; step++) await page.keyboard.press('+');
  }

  test('the image is left of the split, the SVG right of it; the slider moves the split', async () => {
    const page = await opened();
    await splitTo(page, 100);
    await lookAtSpeckle(page);
    await untilColors(page, [[0.5, 0.5, GREEN]]);
    await splitTo(page, 0);
    await untilColors(page, [[0.5, 0.5, RED]]);
    await page.close();
  });

  test('gradients are painted as the image shows them', async () => {
    const page = await opened();
    const { width, height, data } = shaded;
    const raw = { width, height, channels: 4 } as const;
    const buffer = await sharp(data, { raw }).png().toBuffer();
    await give(page, { name: 'shaded.png', mimeType: 'image/png', buffer });
    await traceAgain(page, () => page.locator('[name=gradients]').check());
    assert.match(
      (await saved(page)).svg,
      /<linearGradient.*<radialGradient|<radialGradient.*<linearGradient/s,
    );
    // On the ramp, on the disc, and on the flat bar.
    const places: [x: number, y: number][] = [0.1, 0.3, 0.4, 0.5, 0.6, 0.9].flatMap((x) => [
      [x, 0.2],
      [x, 0.45],
      [x, 0.8],
    ]);
    await splitTo(page, 100);
    const image = await colorsAt(page, ...places);
    assert.ok(new Set(image).size > 8, image.join());
    await splitTo(page, 0);
    const levels = (color: string) => [...Buffer.from(color, 'hex')];
    const isNear = (color: string, index: number) => {
      const expected = levels(image[index] ?? '');
      return levels(color).every(
        (level, channel) => Math.abs(level - (expected[channel] ?? 0)) <= NEAR_LEVELS,
      );
    };
    const end = performance.now() + DEADLINE_MS;
    let drawn: string[] = [];
    do drawn = await colorsAt(page, ...places);
    while (!drawn.every(isNear) && performance.now() < end);
    assert.ok(drawn.every(isNear), `${drawn} instead of ${image}`);
    await page.close();
  });

  test('the split can be dragged, and the slider follows', async () => {
    const page = await opened();
    const box = await page.locator('#viewer').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width / 2, box.y + 20);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 4, box.y + 20, { steps: 4 });
    await page.mouse.up();
    assert.equal(await page.locator('#split').inputValue(), '25');
    await page.close();
  });

  test('zooms up to 3,200 %, to fit and to the actual size, by keyboard and buttons', async () => {
    const page = await opened();
    await page.locator('#viewer').focus();
    for (let step = 0; step < 40; step++) await page.keyboard.press('+');
    assert.equal(await zoomShown(page), '3200 %');
    await page.keyboard.press('1');
    assert.equal(await zoomShown(page), '100 %');
    await page.click('#zoom-in');
    assert.equal(await zoomShown(page), '125 %');
    await page.click('#zoom-out');
    await page.keyboard.press('Tab');
    await page.click('#fit');
    const fitted = await zoomShown(page);
    assert.ok(Number.parseInt(fitted, 10) > 300, fitted);
    await page.click('#actual-size');
    assert.equal(await zoomShown(page), '100 %');
    await page.close();
  });

  test('the wheel zooms at the pointer', async () => {
    const page = await opened();
    const box = await page.locator('#viewer').boundingBox();
    assert.ok(box);
    await page.mouse.move(box.x + box.width * 0.55, box.y + box.height / 2);
    for (let turn = 0; turn < 12; turn++) await page.mouse.wheel(0, -200);
    await page.waitForFunction(() => document.getElementById('zoom')?.textContent === '3200 %');
    // The same point of the image is under the pointer.
    await untilColors(page, [[0.55, 0.5, BLUE]]);
    await page.close();
  });

  test('the arrow keys move the image, but not out of view', async () => {
    const page = await opened();
    await splitTo(page, 0);
    await untilColors(page, [
      [0.45, 0.5, RED],
      [0.55, 0.5, BLUE],
    ]);
    await page.locator('#viewer').focus();
    for (let step = 0; step < 2; step++) await page.keyboard.press('ArrowLeft');
    await untilColors(page, [[0.55, 0.5, RED]]);
    for (let step = 0; step < 50; step++) await page.keyboard.press('ArrowRight');
    await untilColors(page, [[0.02, 0.5, BLUE]]);
    await page.close();
  });

  test('outlines and nodes are drawn over the SVG', async () => {
    const page = await opened();
    await splitTo(page, 0);
    await untilColors(page, [[0.45, 0.5, RED]]);
    const shown = async () => (await page.locator('#viewer').screenshot()).toString('base64');
    const bare = await shown();
    for (const id of ['#outlines', '#nodes']) {
      await page.check(id);
      const end = performance.now() + DEADLINE_MS;
      while ((await shown()) === bare) assert.ok(performance.now() < end, `${id} shows nothing`);
      await page.uncheck(id);
      while ((await shown()) !== bare) assert.ok(performance.now() < end, `${id} stays`);
    }
    await page.close();
  });

  test('a large image is shown while it is traced, and the trace can be stopped', async () => {
    const page = await opened();
    const noise = { type: 'gaussian', mean: 128, sigma: 40 } as const;
    const create = { width: 3000, height: 3000, channels: 3, background: '#808080', noise } as const;
    const buffer = await sharp({ create }).jpeg().toBuffer();
    await page.setInputFiles('#file', { name: 'noise.jpg', mimeType: 'image/jpeg', buffer });
    const bar = page.locator('#bar');
    const isBeyond = (least: number) => (document.getElementById('bar') as HTMLProgressElement).value > least;
    await page.waitForFunction(isBeyond, 0);
    const first = await bar.evaluate((element: HTMLProgressElement) => element.value);
    await page.waitForFunction(isBeyond, first);
    assert.ok((await bar.evaluate((element: HTMLProgressElement) => element.value)) <= 1);
    await page.click('#stop');
    await untilSaid(page, /^Stopped/);
    assert.ok(await bar.isHidden());
    assert.ok(await page.locator('#download').isDisabled());
    await give(page, { name: 'two.png', mimeType: 'image/png', buffer: await twoHalves() });
    await page.close();
  });
});
