import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const ROOT = new URL('../../', import.meta.url);
const page = readFileSync(new URL('docs/security.md', ROOT), 'utf8');
const pathOf = (name: string) => fileURLToPath(new URL(name, ROOT));

/** The rows of the tables with a column "Tests". */
const promises = page
  .slice(page.indexOf('## Promises'))
  .split('\n')
  .filter((line) => line.startsWith('| ') && !/^\| (Promise|---)/.test(line))
  .map((line) => line.split(' | ') as [promise: string, tests: string]);

/** A link to a file, with its path as text, and a part of the test's name. */
const TEST = /\[`([^`]+)`\]\(\.\.\/([^)]+)\) "([^"]+)"/g;

describe('docs/security.md', () => {
  test('has promises', () => assert.ok(promises.length > 20, `${promises.length}`));

  for (const [promise, tests = ''] of promises) {
    test(`names tests that exist: ${promise.slice(2)}`, () => {
      const named = Array.from(tests.matchAll(TEST), ([, text, path, name]) => ({ text, path, name }));
      assert.equal(named.length, tests.split('; [').length, `each test is a link and a name: ${tests}`);
      for (const { text, path = '', name = '' } of named) {
        assert.equal(text, path);
        assert.ok(existsSync(pathOf(path)), `${path} does not exist`);
        assert.ok(readFileSync(pathOf(path), 'utf8').includes(name), `${path} has no test "${name}"`);
      }
    });
  }

  test('names files and commands that exist', () => {
    const files = Array.from(page.matchAll(/`(host\/[\w\-/.]+)`/g), ([, path = '']) => path);
    assert.ok(files.length > 3);
    assert.deepEqual(
      files.filter((path) => !existsSync(pathOf(path))),
      [],
    );
    const { scripts } = JSON.parse(readFileSync(pathOf('package.json'), 'utf8'));
    const commands = Array.from(page.matchAll(/`npm run ([\w-]+)/g), ([, name = '']) => name);
    assert.deepEqual(
      commands.filter((name) => !(name in scripts)),
      [],
    );
  });
});
