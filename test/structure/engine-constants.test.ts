import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/lib/command.ts';
import { constantsIn, engineConstants } from './engine-constants.ts';

/** Lower it when constants go. A change that needs one more must do without another. */
const MOST_CONSTANTS = 187;

describe('the engine’s float constants', () => {
  const constants = engineConstants();

  test('each says its unit and its source', () => {
    const silent = constants.filter(({ unit, source }) => unit === undefined || source === undefined);
    assert.deepEqual(
      silent.map(({ file, name }) => `${file}: ${name}`),
      [],
      'the comment must end with "Unit: …. Source: …."',
    );
  });

  test('each has a name of its own', () => {
    const names = constants.map(({ name }) => name);
    assert.deepEqual(
      names.filter((name, i) => names.indexOf(name) !== i),
      [],
    );
  });

  test(`there are at most ${MOST_CONSTANTS}`, () => {
    assert.ok(constants.length <= MOST_CONSTANTS, `${constants.length} constants`);
  });

  test('docs/constants.md lists them with their values and units', () => {
    const page = readFileSync(join(root, 'docs', 'constants.md'), 'utf8').replaceAll('\r', '');
    const listed = [...page.matchAll(/^\| (`.+`) \| (.+) \| (.+) \| .+ \| .+ \|$/gm)];
    assert.deepEqual(
      listed.map(([, name, value, unit]) => `${name} ${value} ${unit}`),
      constants.map(({ name, value, unit }) => `\`${name}\` ${value} ${unit}`),
    );
  });
});

test('unit and source are read from a comment of several lines', () => {
  const code = `
    /// How far.
    ///
    /// Unit: pixels. Source: half a pixel, which rounding
    /// loses.
    pub(crate) const REACH_PX: f32 =
        0.5;
    const SILENT: f64 = 2.0;
    #[cfg(test)]
    mod tests { const INNER: f32 = 1.0; }`;
  assert.deepEqual(constantsIn(code), [
    { name: 'REACH_PX', value: '0.5', unit: 'pixels', source: 'half a pixel, which rounding loses' },
    { name: 'SILENT', value: '2.0', unit: undefined, source: undefined },
  ]);
});
