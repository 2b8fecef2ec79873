import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DurationPredictor, type ImageTraits } from '../../host/tracing/duration-predictor.ts';

const logo: ImageTraits = { pixels: 256 * 256, fileBytes: 6_000, format: 'png', detail: 'color' };
const padded: ImageTraits = { pixels: 1, fileBytes: 6_000_000, format: 'png', detail: 'color' };
const checkerboard: ImageTraits = { pixels: 6_320 ** 2, fileBytes: 12_900, format: 'png', detail: 'color' };
const noise: ImageTraits = { pixels: 2_000 ** 2, fileBytes: 12_000_000, format: 'png', detail: 'color' };

const assertWithinFactor3 = (predictedMs: number, ms: number) =>
  assert.ok(predictedMs < 3 * ms && predictedMs > ms / 3, `${predictedMs} ms predicted, ${ms} ms taken`);

describe('predicted durations', () => {
  test('before the first image, are of the order of magnitude of measured ones', () => {
    const predictor = new DurationPredictor();
    assertWithinFactor3(predictor.predictMs(logo), 8);
    assertWithinFactor3(predictor.predictMs(noise), 2_000);
    assertWithinFactor3(predictor.predictMs({ ...noise, detail: 'everyPixel' }), 36_000);
    assertWithinFactor3(
      predictor.predictMs({ pixels: 12e6, fileBytes: 4e6, format: 'jpeg', detail: 'color' }),
      2_000,
    );
  });

  const bombs: [name: string, traits: ImageTraits, ms: number][] = [
    ['files of 6 MB with one pixel', padded, 15],
    ['checkerboards of 40 MP in 13 kB', checkerboard, 20_000],
    ['noise of 12 MB', noise, 2_000],
    ['noise at full detail', { ...noise, detail: 'everyPixel' }, 15_000],
  ];
  for (const [name, traits, ms] of bombs) {
    test(`after ${name}, are right for these and for logos`, () => {
      const predictor = new DurationPredictor();
      for (let i = 0; i < 10; i++) predictor.learn(logo, 8);
      for (let i = 0; i < 40; i++) predictor.learn(traits, ms);
      assertWithinFactor3(predictor.predictMs(logo), 8);
      assertWithinFactor3(predictor.predictMs(traits), ms);
      const kindsNeverSeen = { ...logo, format: 'webp' } as const;
      const fresh = new DurationPredictor().predictMs(kindsNeverSeen);
      assertWithinFactor3(predictor.predictMs(kindsNeverSeen), fresh);
    });
  }

  test('are not moved by a few outliers', () => {
    const predictor = new DurationPredictor();
    for (let i = 0; i < 10; i++) predictor.learn(logo, 8);
    for (let i = 0; i < 6; i++) predictor.learn(logo, 30_000);
    assertWithinFactor3(predictor.predictMs(logo), 8);
  });

  test('follow a machine that has become slower', () => {
    const predictor = new DurationPredictor();
    for (let i = 0; i < 40; i++) predictor.learn(logo, 8);
    for (let i = 0; i < 10; i++) predictor.learn(logo, 40);
    assertWithinFactor3(predictor.predictMs(logo), 40);
  });
});
