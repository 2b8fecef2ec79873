import assert from 'node:assert/strict';
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { DEADLINE_MS } from '../http/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const parent = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(parent, { recursive: true }));

describe('npm packages before a script', () => {
  const INSTALLER = 'scripts/setup/install-packages.mjs';
  const other = process.platform === 'linux' ? 'win32' : 'linux';
  const LOCK = {
    packages: {
      '': { name: 'made-up' },
      host: { version: '1.0.0' },
      'node_modules/host': { resolved: 'host', link: true },
      'node_modules/needed': { version: '2.0.0' },
      'node_modules/needed/node_modules/inner': { version: '3.0.0' },
      'node_modules/binary': {
        version: '4.0.0',
        optional: true,
        os: [process.platform],
        cpu: [process.arch],
      },
      'node_modules/foreign': { version: '4.0.0', optional: true, os: [other] },
      'node_modules/nice-to-have': { version: '1.0.0', optional: true },
      'node_modules/tool': { version: '5.0.0', dev: true },
    },
  };
  const RUN = {
    host: '1.0.0',
    needed: '2.0.0',
    'needed/node_modules/inner': '3.0.0',
    binary: '4.0.0',
  };
  const ALL = { ...RUN, tool: '5.0.0' };

  /** Runs the installer where these packages are installed, with an npm that only notes how it was called. */
  function install(packages: Record<string, string>, ...args: string[]) {
    const folder = mkdtempSync(join(parent, 'clone-'));
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    write('package-lock.json', JSON.stringify(LOCK));
    write('npm.js', `console.log(process.argv.slice(2).join(' '));`);
    for (const [name, version] of Object.entries(packages))
      write(`node_modules/${name}/package.json`, JSON.stringify({ version }));
    mkdirSync(dirname(join(folder, INSTALLER)), { recursive: true });
    copyFileSync(join(ROOT, INSTALLER), join(folder, INSTALLER));
    const before = readdirSync(folder, { recursive: true });
    const env = { ...process.env, npm_execpath: join(folder, 'npm.js') };
    const { status, stderr } = spawnSync(process.execPath, [join(folder, INSTALLER), ...args], {
      env,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.deepEqual(readdirSync(folder, { recursive: true }), before, 'only npm may write');
    return /^(ci|install) .*$/m.exec(stderr)?.[0].split(' --no-audit')[0];
  }

  const without = (packages: Record<string, string>, name: string) =>
    Object.fromEntries(Object.entries(packages).filter(([one]) => one !== name));

  test('nothing is installed if all are there', () => {
    assert.equal(install(RUN, 'run'), undefined);
    assert.equal(install(ALL, 'run'), undefined);
    assert.equal(install(ALL), undefined);
  });

  test('a fresh clone gets what the service needs, or all', () => {
    assert.equal(install({}, 'run'), 'ci --omit=dev');
    assert.equal(install({}), 'ci --include=dev');
    assert.equal(install(RUN), 'ci --include=dev');
  });

  for (const name of Object.keys(RUN))
    test(`${name} is installed if it is missing, and development packages stay`, () => {
      assert.equal(install(without(RUN, name), 'run'), 'ci --omit=dev');
      assert.equal(install(without(ALL, name), 'run'), 'ci --include=dev');
    });

  test('another version is replaced', () => {
    assert.equal(install({ ...RUN, needed: '1.9.9' }, 'run'), 'ci --omit=dev');
  });
});

describe('npm start', { skip: process.platform === 'win32' && 'Windows has no such signals' }, () => {
  /** Runs the start script in a shell of its own process group and without a terminal, as npm does under nohup. */
  async function start(t: TestContext): Promise<{ shell: ChildProcess; url: string }> {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    const env = { ...process.env, PORT: '0', TRACESMITH_WORKERS: '1', TRACESMITH_KEYS_FILE: '' };
    // The second command keeps the shell from replacing itself with the first.
    const shell = spawn('sh', ['-c', `${scripts.start}; exit 0`], {
      cwd: ROOT,
      env,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    t.after(() => endGroup(shell));
    const deadline = { signal: AbortSignal.timeout(DEADLINE_MS) };
    const [line] = await once(createInterface({ input: shell.stdout }), 'line', deadline);
    return { shell, url: String(/http:\S+/.exec(line)?.[0]) };
  }

  function endGroup({ pid }: ChildProcess): void {
    try {
      process.kill(-Number(pid), 'SIGKILL');
    } catch {
      // It has ended.
    }
  }

  test('the service ends if its launcher is killed', async (t) => {
    const { shell, url } = await start(t);
    // Closes when all processes that hold the other end of the pipe have ended.
    const closed = once(shell.stdout as NodeJS.ReadableStream, 'close', {
      signal: AbortSignal.timeout(DEADLINE_MS),
    });
    shell.kill('SIGKILL');
    await closed;
    await assert.rejects(fetch(`${url}/livez`));
  });

  test('without a terminal, the service outlives a SIGHUP that ends its launcher', async (t) => {
    const { shell, url } = await start(t);
    const exit = once(shell, 'exit', { signal: AbortSignal.timeout(DEADLINE_MS) });
    process.kill(-Number(shell.pid), 'SIGHUP');
    assert.deepEqual(await exit, [null, 'SIGHUP']);
    await sleep(1_500);
    assert.equal((await fetch(`${url}/livez`)).status, 200);
  });
});
