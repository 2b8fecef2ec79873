import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { targets } from '../../scripts/release/npm-packages.ts';
import { tool } from './project.ts';

const main = tool('tracesmith-native');
const manifest = JSON.parse(readFileSync(join(main, 'package.json'), 'utf8'));

describe('the packed native package', () => {
  test('is for the machines that the documents name', () => {
    assert.deepEqual(
      [...targets().keys()].map((name) => name.split('.')[1]),
      [
        'linux-x64-gnu',
        'linux-arm64-gnu',
        'linux-x64-musl',
        'linux-arm64-musl',
        'darwin-x64',
        'darwin-arm64',
        'win32-x64-msvc',
        'win32-arm64-msvc',
      ],
    );
  });

  test('may be published, with its licenses, and holds no addon itself', () => {
    assert.ok(!('private' in manifest));
    const names = readdirSync(main);
    for (const name of ['LICENSE-MIT', 'LICENSE-APACHE', 'README.md', 'loader.cjs'])
      assert.ok(names.includes(name), name);
    assert.ok(!names.some((name) => name.endsWith('.node')));
  });

  test('names this machine’s package, of the same version, as an optional dependency', () => {
    const [name = '', ...more] = Object.keys(manifest.optionalDependencies);
    assert.deepEqual(more, []);
    assert.equal(manifest.optionalDependencies[name], manifest.version);
    assert.equal(manifest.dependencies['tracesmith-wasm'], manifest.version);
    const platform = JSON.parse(readFileSync(join(tool(name), 'package.json'), 'utf8'));
    assert.deepEqual(
      [platform.version, platform.os, platform.cpu],
      [manifest.version, [process.platform], [process.arch]],
    );
    const addon = readFileSync(join(tool(name), platform.main));
    assert.equal(platform.addonBytes, addon.length);
    assert.ok(readdirSync(tool(name)).includes('LICENSE-MIT'));
    const notices = readFileSync(join(tool(name), 'THIRD-PARTY-NOTICES'), 'utf8');
    for (const part of ['napi', 'mimalloc', 'Microsoft Corporation', 'Permission is hereby granted'])
      assert.ok(notices.includes(part), `${part} in ${notices}`);
    // Panic messages name source files; paths of the build machine must not be among them.
    for (const path of [process.cwd(), process.env.HOME ?? process.cwd()])
      assert.ok(path === '/' || !addon.includes(path), `the addon names ${path}`);
  });
});
