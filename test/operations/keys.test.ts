import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generateKey } from '../../host/auth/api-key.ts';
import { changeKeys } from '../../host/auth/key-file.ts';
import { type KeyRow, parseKeys } from '../../host/auth/key-file-format.ts';
import { parseKeyCommand } from '../../host/cli/keys/arguments.ts';
import { issue } from '../../host/cli/keys/commands.ts';
import { UsageError } from '../../host/cli/parse-args.ts';
import { readSettings } from '../../host/config/settings.ts';
import { Metrics } from '../../host/observability/metrics.ts';
import { openBackend } from '../../host/service/backend.ts';
import { keysProgram } from '../../scripts/processes/programs.ts';
import { DEADLINE_MS, form, hashOf, picture, Service } from '../http/service.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(folder, { recursive: true }));

let files = 0;
const freshFile = () => join(folder, `${++files}.json`);
const rowsOf = (file: string) => parseKeys(readFileSync(file, 'utf8'), file);
const leftoversOf = (file: string) =>
  readdirSync(folder).filter((name) => join(folder, name).startsWith(`${file}.`));
const TOKEN = '00000000-0000-4000-8000-000000000000';
const KEY = /^ts_live_[0-9A-Za-z]{36}\n$/;

interface Result {
  code: number;
  stdout: string;
  stderr: string;
}

function run(file: string, ...args: string[]): Promise<Result> {
  const command = [...keysProgram, ...args];
  const options = { cwd: ROOT, timeout: DEADLINE_MS, env: { ...process.env, TRACESMITH_KEYS_FILE: file } };
  return new Promise((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

async function issued(file: string, ...args: string[]): Promise<{ key: string; id: string }> {
  const { code, stdout, stderr } = await run(file, 'issue', ...args);
  assert.equal(code, 0, stderr);
  assert.match(stdout, KEY);
  const key = stdout.trim();
  return { key, id: hashOf(key).slice(0, 12) };
}

describe('the keys command', () => {
  test('issue stores the hash and the properties, not the key', async () => {
    const file = freshFile();
    const terms = [
      '--account',
      'acme',
      '--limit',
      '500',
      '--expires',
      '2090-01-31',
      '--label',
      'build server',
    ];
    const { key } = await issued(file, '--tier', 'enterprise', ...terms);
    const [row] = rowsOf(file);
    assert.deepEqual(
      { ...row, created: '' },
      {
        hash: hashOf(key),
        tier: 'enterprise',
        account: 'acme',
        limit: 500,
        expires: '2090-01-31T00:00:00.000Z',
        label: 'build server',
        created: '',
      },
    );
    assert.ok(!readFileSync(file, 'utf8').includes(key.slice(8, 38)));
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(leftoversOf(file), []);
  });

  test('list shows ids and states, but no hashes', async () => {
    const file = freshFile();
    const { id } = await issued(file, '--tier', 'pro', '--account', 'acme', '--label', 'one');
    const { stdout } = await run(file, 'list');
    assert.match(stdout, new RegExp(`^ID .*\\n${id} +acme +pro +- +active +- +\\S+Z +one\\n$`));
    const [row] = JSON.parse((await run(file, 'list', '--json')).stdout);
    assert.deepEqual([row.id, row.account, row.state, row.hash], [id, 'acme', 'active', undefined]);
  });

  test('revoke', async () => {
    const file = freshFile();
    const first = await issued(file, '--tier', 'free');
    const second = await issued(file, '--tier', 'free');
    assert.equal((await run(file, 'revoke', first.id)).code, 0);
    assert.deepEqual(
      rowsOf(file).map(({ hash, revoked }) => [hash, revoked]),
      [
        [hashOf(first.key), true],
        [hashOf(second.key), undefined],
      ],
    );
    assert.match((await run(file, 'rotate', first.id)).stderr, /is revoked/);
  });

  test('rotate keeps the properties; the old key expires after the grace period', async () => {
    const file = freshFile();
    const old = await issued(file, '--tier', 'pro', '--limit', '7', '--account', 'acme');
    const { stdout } = await run(file, 'rotate', old.id, '--grace', '2h');
    assert.match(stdout, KEY);
    const [before, now] = rowsOf(file) as [KeyRow, KeyRow];
    assert.deepEqual([now.account, now.tier, now.limit, now.expires], ['acme', 'pro', 7, undefined]);
    assert.equal(now.hash, hashOf(stdout.trim()));
    const left = Date.parse(String(before.expires)) - Date.now();
    assert.ok(left > 7_100_000 && left <= 7_200_000, before.expires);
  });

  test('usage errors do not repeat a key', async () => {
    const file = freshFile();
    const { id } = await issued(file, '--tier', 'pro', '--account', 'acme');
    const key = generateKey();
    const real: [string[], RegExp][] = [
      [['issue', '--tier', 'free', '--account', 'acme'], /Revoke key .* \(tier pro\) first/],
      [['revoke', key], /not the key itself/],
      [['revoke', 'ffffffffffff'], /No key has the id ffffffffffff/],
    ];
    for (const [args, message] of real) {
      const { code, stdout, stderr } = await run(file, ...args);
      assert.deepEqual([code, stdout], [2, ''], stderr);
      assert.match(stderr, message);
      assert.ok(!stderr.includes(key));
    }
    const parsed: [string[], RegExp][] = [
      [[], /issue, list, revoke, rotate/],
      [['issue'], /--tier must be one of free, pro, enterprise/],
      [['issue', '--tier', 'gold'], /--tier/],
      [['issue', '--tier', 'pro', '--limit', '0'], /--limit/],
      [['issue', '--tier', 'pro', '--expires', '2001-01-01'], /--expires/],
      [['issue', '--tier', 'pro', '--expires', 'tomorrow'], /--expires/],
      [['issue', '--tier', 'pro', '--expires', '2090-02-31'], /--expires/],
      [['issue', '--tier', 'pro', '--account', 'a b'], /--account/],
      [['issue', '--tier', 'pro', '--account', key], /--account/],
      [['revoke'], /needs the id of a key/],
      [['rotate', id, '--grace', 'soon'], /--grace/],
      [['list', key], /accepts only flags/],
    ];
    for (const [args, message] of parsed) {
      assert.throws(() => parseKeyCommand(args, Date.now()), { constructor: UsageError, message });
    }
    assert.equal(rowsOf(file).length, 1);
  });
});

describe('the key file', () => {
  const add = (file: string) => changeKeys(file, (rows) => issue(rows, { tier: 'free' }, Date.now()));

  /** The lock of a process that was killed. */
  async function leaveLock(file: string): Promise<void> {
    const killed = spawn(process.execPath, ['--version']);
    await once(killed, 'exit');
    const holder = { host: hostname(), pid: killed.pid, sinceMs: Date.now(), token: TOKEN };
    writeFileSync(`${file}.lock`, JSON.stringify(holder));
  }

  for (const [state, prepare] of [
    ['without a lock', async () => {}],
    ['after a crash that left a lock', leaveLock],
  ] as const)
    test(`concurrent processes lose no change, ${state}`, async () => {
      const file = freshFile();
      await prepare(file);
      const keys = await Promise.all(Array.from({ length: 8 }, () => issued(file, '--tier', 'free')));
      const hashes = rowsOf(file).map((row) => row.hash);
      assert.deepEqual(hashes.sort(), keys.map(({ key }) => hashOf(key)).sort());
      assert.deepEqual(leftoversOf(file), []);
    });

  test('many changes at once that find an abandoned lock take turns, and leave no files', async () => {
    const file = freshFile();
    await leaveLock(file);
    await Promise.all(Array.from({ length: 20 }, () => add(file)));
    assert.equal(rowsOf(file).length, 20);
    assert.deepEqual(leftoversOf(file), []);
  });

  test('an old lock of another machine is taken over', async () => {
    const file = freshFile();
    const holder = { host: 'elsewhere', pid: 1, sinceMs: Date.now() - 61_000, token: TOKEN };
    writeFileSync(`${file}.lock`, JSON.stringify(holder));
    await add(file);
    assert.equal(rowsOf(file).length, 1);
  });

  test('a missing file or folder is named, and how to make the file', async () => {
    const file = freshFile();
    const { code, stderr } = await run(file, 'list');
    assert.deepEqual(
      [code, stderr],
      [1, `The key file ${file} does not exist. The keys command "issue" creates it.\n`],
    );
    const settings = readSettings({ TRACESMITH_KEYS_FILE: file });
    await assert.rejects(openBackend(settings, new Metrics()), { message: stderr.trimEnd() });
    await assert.rejects(add(join(file, 'keys.json')), { message: `The folder ${file} does not exist.` });
  });

  test('a symbolic link and unknown members are kept', async () => {
    const target = freshFile();
    const link = freshFile();
    const row = { hash: hashOf('a'), account: 'acme', tier: 'pro', note: 'kept' };
    writeFileSync(target, JSON.stringify({ keys: [row] }), { mode: 0o640 });
    symlinkSync(target, link);
    await add(link);
    const [first, second] = rowsOf(target);
    assert.deepEqual([first, second?.tier], [row, 'free']);
    assert.equal(statSync(target).mode & 0o777, 0o640);
  });

  test('writers killed at any time leave the old file or the new one, and lose no stored key', async () => {
    const file = freshFile();
    const stored = new Set<string>();
    for (let round = 0; round < Number(process.env.KILL_ROUNDS ?? 8); round++) {
      const writers = Array.from({ length: 3 }, () => {
        const child = spawn(process.execPath, ['--import', 'tsx', 'test/operations/key-writer.ts', file], {
          cwd: ROOT,
        });
        let text = '';
        child.stdout.on('data', (data) => {
          text += data;
        });
        return { child, hashes: () => text.split('\n').slice(0, -1) };
      });
      await once(writers[0]?.child.stdout as NodeJS.ReadableStream, 'data');
      for (const { child, hashes } of writers) {
        await sleep(Math.random() * 20);
        child.kill('SIGKILL');
        await once(child, 'close');
        for (const hash of hashes()) stored.add(hash);
        // Others may still write, but every read must find a complete file.
        const rows = new Set(rowsOf(file).map((row) => row.hash));
        for (const hash of stored) assert.ok(rows.has(hash), `round ${round}`);
      }
    }
    await add(file);
  });
});

describe('a running service', () => {
  test('follows issued, revoked and rotated keys, and keeps its keys while the file is invalid', async () => {
    const service = await Service.start();
    const file = service.keysFile;
    const logo = form(picture('logo.png'));
    const ask = async (key: string) => {
      const response = await service.post(logo, { key });
      return `${response.status} ${response.json.code ?? ''}`.trim();
    };
    const until = async (expected: string, key: string) => {
      const deadline = Date.now() + DEADLINE_MS;
      while ((await ask(key)) !== expected) {
        assert.ok(Date.now() < deadline, `${await ask(key)}, not ${expected}`);
        await sleep(100);
      }
    };
    try {
      const { key, id } = await issued(file, '--tier', 'enterprise');
      await until('200', key);
      const rotated = (await run(file, 'rotate', id, '--grace', '1h')).stdout.trim();
      await until('200', rotated);
      assert.equal(await ask(key), '200', 'both are valid during the grace period');
      await run(file, 'revoke', id);
      await until('401 invalid_api_key', key);
      assert.equal(await ask(rotated), '200');

      const good = readFileSync(file, 'utf8');
      writeFileSync(file, good.slice(0, good.length / 2));
      const unknown = generateKey();
      await until('503 auth_unavailable', unknown);
      const response = await service.post(logo, { key: unknown });
      assert.equal(response.headers['retry-after'], '5');
      assert.equal(await ask(rotated), '200', 'keys read before stay valid');
      assert.equal(await ask(key), '401 invalid_api_key', 'a revoked key stays revoked');
      assert.equal(await ask('not a key'.replaceAll(' ', '_')), '401 invalid_api_key');
      rmSync(file);
      await sleep(1_500);
      assert.equal(await ask(rotated), '200');
      writeFileSync(file, good);
      await until('401 invalid_api_key', unknown);

      const log = service.log.join('\n');
      const complaints = service.log.filter((line) => line.includes('cannot read the key file'));
      assert.equal(complaints.length, 2, 'one for each reason');
      for (const secret of [key, rotated, unknown, hashOf(key)]) assert.ok(!log.includes(secret));
    } finally {
      await service.stop();
    }
  });
});
