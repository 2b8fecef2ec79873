import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { DEADLINE_MS, form } from '../http/service.ts';
import { colorNoisePng, OPTION_SETS, PATTERNS, patternPng } from './support/patterns.ts';
import { assertRecovered, useService } from './support/resources.ts';
import { otherImages } from './support/torture-others.ts';
import { PNG_IMAGES } from './support/torture-png.ts';

/** Longer than the deadline of an image by far, on a slow machine as well. */
const IMAGE_MS = 20_000;
/** The side of the patterns, in pixels; at the pixel limit, they run in suites.proof.ts. */
const SIDE_PX = 240;

describe('torture images', () => {
  const used = useService();

  for (const [format, load] of Object.entries({
    PNG: async () => PNG_IMAGES,
    'other formats': otherImages,
  })) {
    test(`${format}: traced if valid, else refused as what they are`, { timeout: DEADLINE_MS }, async () => {
      const { service, rest } = used;
      const images = Object.entries(await load());
      const wrong: string[] = [];
      for (const [name, file] of images) {
        const startMs = performance.now();
        const { status, json, text } = await service.post(form(file));
        const allowed = name.startsWith('valid') ? [200] : [200, 413, 415, 422];
        if (!allowed.includes(status)) wrong.push(`${name}: ${status} ${json.code ?? text.slice(0, 99)}`);
        const ms = performance.now() - startMs;
        if (ms > IMAGE_MS) wrong.push(`${name}: ${Math.round(ms)} ms`);
      }
      assert.deepEqual(wrong, []);
      assert.ok(images.length > 90, `${images.length} images`);
      await assertRecovered(service, rest);
    });
  }
});

describe('patterns with as many shapes, edges or nodes as their pixels allow', () => {
  const used = useService();

  const files = {
    ...Object.fromEntries(
      Object.entries(PATTERNS).map(([name, pattern]) => [name, patternPng(pattern, SIDE_PX, SIDE_PX)]),
    ),
    'noise in 256 colors': colorNoisePng(SIDE_PX, SIDE_PX),
    'a strip of 16,384 px': patternPng(PATTERNS.noise ?? assert.fail(), 16_384, 4),
  };
  for (const [name, file] of Object.entries(files)) {
    test(`${name}: traced with any options`, { timeout: DEADLINE_MS }, async () => {
      for (const [options, config] of Object.entries(OPTION_SETS)) {
        const { status, text } = await used.service.post(form(file, config));
        assert.equal(status, 200, `${options}: ${text.slice(0, 200)}`);
      }
    });
  }

  test('afterwards, nothing is held', () => assertRecovered(used.service, used.rest));
});
