import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { cache } from '../../scripts/lib/command.ts';
import { committedPackage } from '../../scripts/package/freshness.ts';
import { assembleCli, cliPackage } from '../../scripts/release/cli-package.ts';
import { program } from '../clients/program.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const INSTALL_MS = 300_000;

// Not below the repository: there, what the package fails to name would be found all the same.
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(folder, { recursive: true, force: true }));

async function pack(from: string): Promise<string> {
  const name = await program('npm', ['pack', '--silent', '--pack-destination', cache], { cwd: from });
  return join(cache, name.trim());
}

describe('the packed command line, in an empty folder', () => {
  before(async () => {
    assembleCli(cliPackage);
    writeFileSync(join(folder, 'package.json'), '{ "private": true }');
    for (const name of ['logo.png', 'sunset.png'])
      cpSync(join(ROOT, 'docs', 'images', name), join(folder, name));
    const packages = [await pack(committedPackage), await pack(cliPackage)];
    const flags = ['--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error'];
    await program('npm', ['install', ...flags, ...packages], { cwd: folder, timeoutMs: INSTALL_MS });
  });

  test('npx tracesmith logo.png', async () => {
    const report = await program('npx', ['tracesmith', 'logo.png', '--json'], { cwd: folder });
    assert.equal(JSON.parse(report).totals.traced, 1);
    const drawing = readFileSync(join(folder, 'logo.svg'), 'utf8');
    assert.equal(drawing, readFileSync(join(ROOT, 'docs', 'images', 'logo.svg'), 'utf8'));
  });

  test('npx tracesmith sunset.png --gradients', async () => {
    await program('npx', ['tracesmith', 'sunset.png', '--gradients'], { cwd: folder });
    const drawing = readFileSync(join(folder, 'sunset.svg'), 'utf8');
    assert.equal(drawing, readFileSync(join(ROOT, 'docs', 'images', 'sunset.svg'), 'utf8'));
  });

  test('what is packed is what runs, with licenses and a page', async () => {
    const listed = JSON.parse(await program('npm', ['pack', '--dry-run', '--json'], { cwd: cliPackage }));
    const packs = Array.isArray(listed) ? listed : Object.values(listed);
    const paths = packs[0].files.map(({ path }: { path: string }) => path).sort();
    const expected = [
      'LICENSE-APACHE',
      'LICENSE-MIT',
      'README.md',
      'THIRD-PARTY-NOTICES',
      'image/png/png.wasm',
      'package.json',
      'tracesmith.mjs',
      'tracing/worker.mjs',
    ];
    assert.deepEqual(paths, expected);
  });
});
