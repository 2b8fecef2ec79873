// The licenses of the npm packages that the service runs with. Those of compiled crates: scripts/package/about.toml.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { root } from '../../scripts/lib/command.ts';

interface LockedPackage {
  license?: string;
  dev?: boolean;
  devOptional?: boolean;
  link?: boolean;
}

const ACCEPTED = ['MIT', 'Apache-2.0', 'BSD-2-Clause', 'BSD-3-Clause', '0BSD', 'ISC', 'Zlib', 'Unicode-3.0'];

/** libvips: a library of its own, linked dynamically, which an operator can replace. */
const REPLACEABLE_LIBRARY = /^node_modules\/@img\/sharp-/;
/** MIT, in the form `licenses` of earlier versions of npm, which the lock file leaves out. */
const LICENSES_IN_OLD_FORM = ['node_modules/busboy', 'node_modules/streamsearch'];

/** Whether an SPDX expression without nested parentheses leaves a choice of accepted licenses. */
function isAccepted(expression: string, accepted: readonly string[]): boolean {
  const choices = expression.replace(/^\((.*)\)$/, '$1').split(' OR ');
  return choices.some((choice) => choice.split(' AND ').every((license) => accepted.includes(license)));
}

function isAllowed(path: string, { license }: LockedPackage): boolean {
  if (license === undefined) return LICENSES_IN_OLD_FORM.includes(path);
  const replaceable = REPLACEABLE_LIBRARY.test(path) ? ['LGPL-3.0-or-later'] : [];
  return isAccepted(license, [...ACCEPTED, ...replaceable]);
}

describe('licenses of npm packages', () => {
  test('those that the service runs with have accepted ones', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'));
    const packages = Object.entries<LockedPackage>(lock.packages).filter(
      ([path, { dev, devOptional, link }]) => path.includes('node_modules/') && !dev && !devOptional && !link,
    );
    assert.ok(packages.length > 50, `only ${packages.length} packages were found`);
    const refused = packages.filter(([path, locked]) => !isAllowed(path, locked));
    assert.deepEqual(
      refused.map(([path, { license }]) => `${path}: ${license}`),
      [],
    );
  });

  for (const name of LICENSES_IN_OLD_FORM) {
    test(`${name} is MIT`, () => {
      const { licenses } = JSON.parse(readFileSync(join(root, name, 'package.json'), 'utf8'));
      assert.deepEqual(
        licenses.map(({ type }: { type: string }) => type),
        ['MIT'],
      );
    });
  }

  test('an expression needs all of AND, and one of OR', () => {
    assert.ok(isAccepted('(GPL-3.0-only OR MIT)', ACCEPTED));
    assert.ok(isAccepted('MIT AND Zlib', ACCEPTED));
    assert.ok(!isAccepted('Apache-2.0 AND LGPL-3.0-or-later', ACCEPTED));
    assert.ok(!isAllowed('node_modules/other', { license: 'LGPL-3.0-or-later' }));
    assert.ok(!isAllowed('node_modules/other', {}));
  });
});
