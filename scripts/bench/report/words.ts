// The format of numbers in the report.
import type { Ratio } from '../core/statistics.ts';

export const NONE = '–';

/** Three significant digits, without an exponent. */
export function digits(value: number | undefined): string {
  if (value === undefined || !Number.isFinite(value)) return NONE;
  if (value === 0) return '0';
  if (Math.abs(value) >= 100) return Math.round(value).toLocaleString('en-US');
  return Number(value.toPrecision(3)).toString();
}

export const fixed = (value: number | undefined, places: number) => value?.toFixed(places) ?? NONE;

/** A ratio with its interval. */
export function ratioWords(value: Ratio | undefined): string {
  if (value === undefined) return NONE;
  const [low, high] = [digits(value.low), digits(value.high)];
  return low === high ? digits(value.value) : `${digits(value.value)} (${low}–${high})`;
}

export const megapixels = ({ width, height }: { width: number; height: number }) => (width * height) / 1e6;
