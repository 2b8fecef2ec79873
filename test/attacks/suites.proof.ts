import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { form, Service } from '../http/service.ts';
import { colorNoisePng, OPTION_SETS, PATTERNS, patternPng } from './support/patterns.ts';
import { assertRecovered, useService } from './support/resources.ts';
import { SUITES } from './support/suites.ts';

// Takes some ten minutes, and gets packages: npm run prove-attacks.

// On a busy machine, the limit of processor time is to end a trace, not the time that passes.
const used = useService(() => Service.start({ TRACESMITH_PROCESSING_TIMEOUT_MS: '55000' }));

describe('the torture images of other projects', () => {
  /** The fewest images of a suite: fewer mean that they were not found. */
  const FEWEST = 20;
  for (const [name, images] of Object.entries(SUITES)) {
    test(`${name}: 200, 413, 415 or 422`, async (t) => {
      const files = images();
      assert.ok(files.size >= FEWEST, `${files.size} images`);
      const counts = new Map<number, number>();
      const wrong: string[] = [];
      for (const [file, bytes] of files) {
        const { status, json } = await used.service.post(form(bytes));
        counts.set(status, (counts.get(status) ?? 0) + 1);
        if (![200, 413, 415, 422].includes(status)) wrong.push(`${file}: ${status} ${json.code}`);
      }
      t.diagnostic(Array.from(counts, ([status, count]) => `${count} × ${status}`).join(', '));
      assert.deepEqual(wrong, []);
      assert.ok((counts.get(200) ?? 0) > files.size / 3, 'most are valid');
      await assertRecovered(used.service, used.rest);
    });
  }
});

describe('patterns at the pixel limit', () => {
  const SIDE_PX = 6_320;
  const [LONG_PX, SHORT_PX] = [16_384, 2_440];
  const files: Record<string, () => Buffer> = {
    ...Object.fromEntries(
      Object.entries(PATTERNS).map(([name, pattern]) => [name, () => patternPng(pattern, SIDE_PX, SIDE_PX)]),
    ),
    'noise of the largest width': () => patternPng(PATTERNS.noise ?? assert.fail(), LONG_PX, SHORT_PX),
    'strips of the largest height': () => patternPng(PATTERNS.strips ?? assert.fail(), SHORT_PX, LONG_PX),
    'noise in 256 colors at the file limit': () => colorNoisePng(4_500, 4_500),
  };
  for (const [name, file] of Object.entries(files)) {
    test(`${name}: 200, a client error or 503`, async (t) => {
      const bytes = file();
      const results: string[] = [];
      for (const [options, config] of Object.entries(OPTION_SETS)) {
        const { status, json } = await used.service.post(form(bytes, config));
        results.push(`${options}: ${status} ${json.code ?? ''}`.trim());
      }
      t.diagnostic(results.join(', '));
      assert.deepEqual(
        results.filter((result) => !/: (200|4\d\d|503)\b/.test(result)),
        [],
      );
      await assertRecovered(used.service, used.rest);
    });
  }
});
