import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { coreHoursPerMillion, coresFor, machinesFor, perCoreSecond } from '../../scripts/scaling/sizing.ts';

const page = readFileSync(new URL('../../docs/scaling.md', import.meta.url), 'utf8');
const number = (text: string | undefined) => Number(String(text).replaceAll(',', ''));

/** The cells of a table of the page, by the first cells of its head. */
function table(head: string): string[][] {
  const [, after] = page.split(`| ${head}`);
  const [text = ''] = String(after).split('\n\n');
  const rows = text.split('\n').slice(2);
  assert.ok(rows.length >= 3, head);
  return rows.map((row) =>
    row
      .split('|')
      .map((cell) => cell.trim())
      .slice(1, -1),
  );
}

/** Figures have three digits. */
function assertClose(actual: number, expected: number, what: string): void {
  assert.ok(Math.abs(actual / expected - 1) < 0.01, `${what}: ${actual} instead of ${expected}`);
}

describe('docs/scaling.md', () => {
  const costs = new Map<string, number>();
  for (const [image = '', , cpuMs] of table('Image | PNG')) costs.set(image, number(cpuMs));

  test('throughput and core hours follow from the processor time', () => {
    for (const [image = '', , cpuMs, perCore, hours] of table('Image | PNG')) {
      assertClose(number(perCore), perCoreSecond(number(cpuMs)), image);
      assertClose(number(hours), coreHoursPerMillion(number(cpuMs)), image);
    }
  });

  test('the machines follow from the processor time', () => {
    const head = /^\| Requests per second \| (.*\d+ px.*) \|$/m.exec(page)?.[1]?.split(' | ') ?? [];
    assert.ok(head.length >= 3);
    for (const [rate, ...cells] of table('Requests per second | logo')) {
      for (const [index, cell] of cells.entries()) {
        const cost = costs.get(String(head[index]).replace(' px', '')) ?? assert.fail(head[index]);
        const [, cores, machines] = /^([\d,]+) cores?, ([\d,]+) machines$/.exec(cell) ?? [];
        assert.equal(number(cores), coresFor(number(rate), cost), `${head[index]} at ${rate}`);
        assert.equal(number(machines), machinesFor(number(rate), cost, 8), `${head[index]} at ${rate}`);
      }
    }
  });
});
