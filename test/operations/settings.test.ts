import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { readSettings, SETTINGS, SettingError } from '../../host/config/settings.ts';

const KIB = 1024;
const UNITS = [
  ['GiB', KIB ** 3],
  ['MiB', KIB ** 2],
  ['KiB', KIB],
] as const;

const inUnit = (bytes: number) => {
  const [unit, size] = UNITS.find(([, size]) => bytes % size === 0) ?? ['bytes', 1];
  return `${bytes} (${bytes / size} ${unit})`;
};

function shown(variable: string, value: unknown): string {
  const isEmpty = value === '' || value === undefined || (Array.isArray(value) && value.length === 0);
  if (isEmpty) return 'empty';
  return variable.endsWith('_BYTES') ? inUnit(Number(value)) : String(value);
}

const rows = Object.values(SETTINGS).map((row) => {
  const { variable, defaultValue, expected, description, defaultText } = { defaultText: undefined, ...row };
  const range = expected.replace(/^a whole number from (\d+) to (\d+)$/, '$1–$2');
  return `| \`${variable}\` | ${defaultText ?? shown(variable, defaultValue)} | ${range} | ${description} |`;
});

describe('settings', () => {
  test('docs/operations.md lists exactly these settings', () => {
    const page = readFileSync(new URL('../../docs/operations.md', import.meta.url), 'utf8');
    const listed = page
      .split('\n')
      .filter((line) => /^\| `(PORT|UV_THREADPOOL_SIZE|TRACESMITH_\w+)`/.test(line));
    assert.deepEqual(listed, rows, `the table should be\n${rows.join('\n')}`);
  });

  test('no other module reads the environment', () => {
    const folder = new URL('../../host/', import.meta.url);
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' });
    const readers = files.filter(
      (file) => file.endsWith('.ts') && readFileSync(new URL(file, folder), 'utf8').includes('process.env'),
    );
    assert.deepEqual(readers, ['config/settings.ts']);
  });

  test('an empty variable counts as absent', () => {
    const empty = Object.fromEntries(Object.values(SETTINGS).map((row) => [row.variable, '']));
    assert.deepEqual(readSettings(empty), readSettings({}));
  });

  const wrong = ['-1', '1.5', '1e3', '99999999999999', ' 80', 'many'];
  for (const row of Object.values(SETTINGS)) {
    if (row.expected === 'text') continue;
    test(`${row.variable} rejects values that are not ${row.expected}`, () => {
      for (const value of wrong) {
        assert.throws(
          () => readSettings({ [row.variable]: value }),
          (error) =>
            error instanceof SettingError &&
            error.message ===
              `${row.variable} must be ${row.expected}${'isSecret' in row ? '' : `, not "${value}"`}`,
        );
      }
    });
  }

  test('the URL of the store has a host, and is not repeated', () => {
    for (const url of [
      'redis://a',
      'rediss://user:pass@a.example:6380/1',
      'redis://:pass@[::1]',
      'redis://a/',
    ])
      assert.equal(readSettings({ TRACESMITH_STORE: url }).store, url);
    for (const url of [
      'http://a',
      'redis:a',
      'redis://',
      'redis://a/b',
      'redis://a?b',
      'redis://:s3cret@a/0#b',
    ])
      assert.throws(
        () => readSettings({ TRACESMITH_STORE: url }),
        (error: Error) => error instanceof SettingError && !error.message.includes(url),
      );
  });
});
