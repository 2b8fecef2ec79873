import type { Page } from 'playwright-core';

/** The minimum contrast for text according to WCAG. */
const LEAST = 4.5;

/** Texts on a page with too little contrast, each with its contrast. */
export function faintTexts(page: Page): Promise<string[]> {
  return page.evaluate((least) => {
    const channels = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
    const luminance = (color: string) => {
      const [r = 0, g = 0, b = 0] = channels(color).map((value) => {
        const share = value / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const behind = (element: Element | null): string => {
      if (element === null) return 'rgb(255, 255, 255)';
      const color = getComputedStyle(element).backgroundColor;
      return channels(color)[3] === 0 ? behind(element.parentElement) : color;
    };
    const hasText = (element: Element) =>
      [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim() !== '');
    return [...document.body.querySelectorAll('*')]
      .filter((element) => hasText(element) && element.getClientRects().length > 0)
      .map((element) => {
        const pair = [luminance(getComputedStyle(element).color), luminance(behind(element))];
        const contrast = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
        return { contrast, text: `${contrast.toFixed(2)}: ${element.textContent?.slice(0, 40)}` };
      })
      .filter(({ contrast }) => contrast < least)
      .map(({ text }) => text);
  }, LEAST);
}
