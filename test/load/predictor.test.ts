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
    assertWithinFactor3(predictor.predictMs('a', logo), 8);
    assertWithinFactor3(predictor.predictMs('a', noise), 2_000);
    assertWithinFactor3(predictor.predictMs('a', { ...noise, detail: 'everyPixel' }), 36_000);
    assertWithinFactor3(
      predictor.predictMs('a', { pixels: 12e6, fileBytes: 4e6, format: 'jpeg', detail: 'color' }),
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
      for (let i = 0; i < 10; i++) predictor.learn('a', logo, 8);
      for (let i = 0; i < 40; i++) predictor.learn('a', traits, ms);
      assertWithinFactor3(predictor.predictMs('a', logo), 8);
      assertWithinFactor3(predictor.predictMs('a', traits), ms);
      const kindsNeverSeen = { ...logo, format: 'webp' } as const;
      const fresh = new DurationPredictor().predictMs('a', kindsNeverSeen);
      assertWithinFactor3(predictor.predictMs('a', kindsNeverSeen), fresh);
    });
  }

  test('are not moved by a few outliers', () => {
    const predictor = new DurationPredictor();
    for (let i = 0; i < 10; i++) predictor.learn('a', logo, 8);
    for (let i = 0; i < 6; i++) predictor.learn('a', logo, 30_000);
    assertWithinFactor3(predictor.predictMs('a', logo), 8);
  });

  test('follow a machine that has become slower', () => {
    const predictor = new DurationPredictor();
    for (let i = 0; i < 40; i++) predictor.learn('a', logo, 8);
    for (let i = 0; i < 10; i++) predictor.learn('a', logo, 40);
    assertWithinFactor3(predictor.predictMs('a', logo), 40);
  });
});

describe('measurements of one account', () => {
  const fast = { ...logo, format: 'webp' } as const;
  const predictor = () => {
    const predictor = new DurationPredictor();
    for (const account of ['b', 'c', 'd'])
      for (let i = 0; i < 5; i++) predictor.learn(account, fast, new DurationPredictor().predictMs('', fast));
    return predictor;
  };
  const everyKind = (['png', 'jpeg', 'webp', 'gif', 'bmp'] as const).flatMap((format) =>
    [logo, noise, padded].map((traits) => ({ ...traits, format })),
  );

  test('do not move predictions for accounts that have sent such images, or others, or none', () => {
    const [calm, attacked] = [predictor(), predictor()];
    for (let i = 0; i < 5; i++) for (const each of [calm, attacked]) each.learn('b', logo, 8);
    for (let i = 0; i < 40; i++)
      for (const traits of everyKind) attacked.learn('a', traits, i < 20 ? 30_000 : 0);
    for (let i = 0; i < 10; i++) for (const traits of everyKind) attacked.learn('a', traits, 30_000);
    for (const account of ['b', 'c', 'new'])
      for (const traits of everyKind)
        assert.equal(attacked.predictMs(account, traits), calm.predictMs(account, traits), account);
  });

  test('do not hold for a new account, as those of three do', () => {
    const slow = new DurationPredictor();
    const formula = slow.predictMs('new', logo);
    const learn = (account: string) => {
      for (let i = 0; i < 5; i++) slow.learn(account, fast, 2 * formula);
    };
    for (const account of ['a', 'b']) learn(account);
    assert.equal(slow.predictMs('new', logo), formula);
    learn('c');
    assert.equal(slow.predictMs('new', logo), 2 * formula, 'the machine is slow');
  });

  test('are forgotten when thousands of others have sent images since', () => {
    const predictor = new DurationPredictor();
    const formula = predictor.predictMs('a', logo);
    for (let i = 0; i < 5; i++) predictor.learn('a', logo, 20 * formula);
    assert.ok(predictor.predictMs('a', logo) > 10 * formula);
    for (let i = 0; i < 2_000; i++) predictor.learn(`other ${i}`, logo, formula);
    assert.equal(predictor.predictMs('a', logo), formula);
  });
});
