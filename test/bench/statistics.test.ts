import assert from 'node:assert/strict';
import { test } from 'node:test';
import { geometricMean, median, quantile, ratio, verdict } from '../../scripts/bench/core/statistics.ts';

test('quantiles lie between sorted values', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(quantile([10, 20, 30], 0.25), 15);
  assert.ok(Math.abs(geometricMean([1, 4, 16]) - 4) < 1e-12);
});

const noisy = (center: number, spread: number) =>
  Array.from({ length: 21 }, (_, i) => center * (1 + spread * Math.sin(i * 2.4)));

test('a ratio is told from 1 only where noise allows', () => {
  const verdictOf = (ours: number[], theirs: number[]) => verdict(ratio([{ ours, theirs }]));
  assert.equal(verdictOf(noisy(8, 0.02), noisy(10, 0.02)), 'faster');
  assert.equal(verdictOf(noisy(12, 0.02), noisy(10, 0.02)), 'slower');
  assert.equal(verdictOf(noisy(9.5, 0.3), noisy(10, 0.3).reverse()), 'no difference');
  // Less than what two processes of one engine differ by.
  assert.equal(verdictOf(noisy(10.1, 0), noisy(10, 0)), 'no difference');
  assert.equal(verdictOf([8, 8, 8, 8], [10, 10, 10, 10]), 'too few rounds');
});

test('the interval holds the ratio, and narrows with less noise', () => {
  const width = (spread: number) => {
    const { value, low, high } = ratio([{ ours: noisy(10, spread), theirs: noisy(20, spread).reverse() }]);
    assert.ok(low <= value && value <= high);
    return high - low;
  };
  assert.ok(width(0.02) < width(0.2));
});
