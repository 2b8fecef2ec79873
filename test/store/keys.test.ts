import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { generateKey } from '../../host/auth/api-key.ts';
import { keyFile } from '../../host/auth/key-file.ts';
import { type KeyRow, parseKeys, toRecord } from '../../host/auth/key-file-format.ts';
import { KeyStore } from '../../host/auth/key-store.ts';
import { issue, revoke } from '../../host/cli/keys/commands.ts';
import { moveKeys } from '../../host/cli/keys/move.ts';
import { NAMES } from '../../host/store/scripts.ts';
import { SharedKeys } from '../../host/store/shared-keys.ts';
import { Store } from '../../host/store/store.ts';
import { StoredKeys } from '../../host/store/stored-keys.ts';
import { keysProgram } from '../../scripts/processes/programs.ts';
import { DEADLINE_MS, form, hashOf, Service } from '../http/service.ts';
import { noise } from '../http/support/noise.ts';
import { needsValkey, useValkey } from './use-valkey.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PATIENT_MS = 5_000;
const HASTY_MS = 500;

// As docs/security.md describes: a user who may do only what the service needs.
const server = useValkey([], async ({ observer }) => {
  await observer.call('ACL', 'SETUSER', 'tracesmith', 'on', '>s3cret', ...documentedRules());
});
const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
after(() => rmSync(folder, { recursive: true }));

/** The rules of the ACL in docs/security.md. */
function documentedRules(): string[] {
  const page = readFileSync(join(ROOT, 'docs/security.md'), 'utf8');
  const [, rules = ''] = /ACL SETUSER tracesmith on '>[^']+' (.+)$/m.exec(page) ?? assert.fail('no rules');
  return rules.replaceAll("'", '').split(' ');
}

let files = 0;
function freshFile(rows: KeyRow[] = []): string {
  const file = join(folder, `${++files}.json`);
  writeFileSync(file, JSON.stringify({ keys: rows }));
  return file;
}
const rowsOf = (file: string) => parseKeys(readFileSync(file, 'utf8'), file);
const row = (key: string, terms: Partial<KeyRow> = {}): KeyRow => ({
  hash: hashOf(key),
  account: 'acme',
  tier: 'enterprise',
  ...terms,
});

const urlOfUser = () => `redis://tracesmith:s3cret@127.0.0.1:${server.valkey.port}`;

async function stored(t: TestContext, timeoutMs = PATIENT_MS) {
  const store = await Store.connect({ url: urlOfUser(), timeoutMs });
  t.after(() => store.close());
  return { store, keys: new StoredKeys(store) };
}

/** Runs `npm run keys`. */
function run(settings: Record<string, string>, ...args: string[]) {
  const command = [...keysProgram, ...args];
  const options = { cwd: ROOT, timeout: DEADLINE_MS, env: { ...process.env, ...settings } };
  return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
    execFile(process.execPath, command, options, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr });
    });
  });
}

describe('the keys command with a store', needsValkey, () => {
  const inStore = () => ({ TRACESMITH_STORE: urlOfUser(), TRACESMITH_KEYS_FILE: '' });

  test('issue, list, rotate and revoke', async () => {
    const issued = await run(inStore(), 'issue', '--tier', 'pro', '--account', 'one', '--label', 'first');
    assert.deepEqual([issued.code, issued.stdout.length], [0, 45], issued.stderr);
    const key = issued.stdout.trim();
    const id = hashOf(key).slice(0, 12);
    assert.match((await run(inStore(), 'list')).stdout, new RegExp(`^${id} +one +pro +- +active`, 'm'));
    const text = String(await server.observer.hget(NAMES.keys, hashOf(key)));
    assert.ok(!text.includes(key.slice(8, 38)), 'only the hash is stored');
    const rotated = (await run(inStore(), 'rotate', id, '--grace', '1h')).stdout.trim();
    assert.equal(JSON.parse(String(await server.observer.hget(NAMES.keys, hashOf(rotated)))).label, 'first');
    assert.equal((await run(inStore(), 'revoke', id)).code, 0);
    assert.equal(JSON.parse(String(await server.observer.hget(NAMES.keys, hashOf(key)))).revoked, true);
    const unknown = await run(inStore(), 'revoke', 'ffffffffffff');
    assert.deepEqual([unknown.code, /No key has the id/.test(unknown.stderr)], [2, true]);
  });

  test('concurrent processes lose no change', async () => {
    const before = await server.observer.hlen(NAMES.keys);
    const results = await Promise.all(
      Array.from({ length: 6 }, () => run(inStore(), 'issue', '--tier', 'free')),
    );
    assert.deepEqual([...new Set(results.map(({ code }) => code))], [0]);
    assert.equal(await server.observer.hlen(NAMES.keys), before + 6);
  });

  test('a store that is out of reach is reported without its password', async () => {
    const url = `redis://user:s3cret@127.0.0.1:${server.valkey.port}`;
    const { code, stderr } = await run({ ...inStore(), TRACESMITH_STORE: url }, 'list');
    assert.equal(code, 1);
    assert.match(stderr, /^the store is out of reach: WRONGPASS/);
    assert.ok(!stderr.includes('s3cret'));
  });

  test('with a file as well, a key is revoked wherever it is', async () => {
    const [here, there, both] = [generateKey(), generateKey(), generateKey()];
    const file = freshFile([row(here), row(both)]);
    for (const key of [there, both])
      await server.observer.hset(NAMES.keys, hashOf(key), JSON.stringify(row(key)));
    const ids = [here, there, both].map((key) => hashOf(key).slice(0, 12));
    const settings = { ...inStore(), TRACESMITH_KEYS_FILE: file };
    const unknown = await run(settings, 'revoke', ...ids, 'ffffffffffff');
    assert.deepEqual(
      [unknown.code, rowsOf(file).some(({ revoked }) => revoked)],
      [2, false],
      'nothing is changed',
    );
    assert.equal((await run(settings, 'revoke', ...ids)).code, 0);
    assert.deepEqual(
      rowsOf(file).map(({ revoked }) => revoked),
      [true, true],
    );
    for (const key of [there, both])
      assert.equal(JSON.parse(String(await server.observer.hget(NAMES.keys, hashOf(key)))).revoked, true);
    const list = JSON.parse((await run(settings, 'list', '--json')).stdout);
    assert.deepEqual(
      ids.map((id) => list.filter((one: { id: string }) => one.id === id).length),
      [1, 1, 1],
    );
  });

  test('move needs both places', async () => {
    const alone = await run(inStore(), 'move', '--to', 'store');
    assert.deepEqual([alone.code, /needs --file or TRACESMITH_KEYS_FILE/.test(alone.stderr)], [2, true]);
    const nowhere = await run({ TRACESMITH_STORE: '' }, 'move', '--to', 'store', '--file', freshFile());
    assert.deepEqual([nowhere.code, /needs TRACESMITH_STORE/.test(nowhere.stderr)], [2, true]);
  });
});

describe('moving keys', needsValkey, () => {
  test('from the file to the store and back, no request fails', async (t) => {
    const service = await Service.start({ TRACESMITH_STORE: urlOfUser(), TRACESMITH_WORKERS: '1' });
    t.after(() => service.stop());
    const settings = { TRACESMITH_STORE: urlOfUser(), TRACESMITH_KEYS_FILE: service.keysFile };
    const image = form(noise(4, 4));
    const codes = new Set<string>();
    let isDone = false;
    const clients = [service.keys.enterprise, service.keys.custom].map(async (key) => {
      while (!isDone) {
        const { status, json } = await service.post(image, { key });
        codes.add(`${status} ${json.code ?? ''}`.trim());
        await sleep(5);
      }
    });
    try {
      const original = rowsOf(service.keysFile);
      const there = await run(settings, 'move', '--to', 'store');
      assert.equal(there.stderr, 'Moved 4 keys to the store.\n');
      assert.deepEqual(rowsOf(service.keysFile), []);
      await sleep(1_500);
      const back = await run(settings, 'move', '--to', 'file');
      assert.match(back.stderr, /^Moved \d+ keys to the file\.\n$/);
      assert.equal(await server.observer.hlen(NAMES.keys), 0);
      const hashes = rowsOf(service.keysFile).map(({ hash }) => hash);
      for (const { hash } of original) assert.ok(hashes.includes(hash));
      await sleep(1_500);
    } finally {
      isDone = true;
      await Promise.all(clients);
    }
    assert.deepEqual([...codes], ['200']);
    assert.equal((await service.get('/readyz')).text, '{"status":"ok"}', 'the empty store has lost nothing');
  });

  test('concurrent changes of one process lose none', async (t) => {
    const { keys } = await stored(t);
    const before = (await keys.read()).length;
    const changes = Array.from({ length: 20 }, () =>
      keys.change((rows) => issue(rows, { tier: 'free' }, Date.now())),
    );
    await Promise.all(changes);
    await assert.rejects(
      keys.change(() => {
        throw new Error('no such key');
      }),
      /no such key/,
    );
    await keys.change((rows) => ({ rows: rows.slice(0, before), result: undefined }));
    assert.equal((await keys.read()).length, before);
  });

  test('what is changed meanwhile is moved as it was changed', async (t) => {
    const { keys } = await stored(t);
    const [first, second] = [generateKey(), generateKey()];
    const path = freshFile([row(first), row(second)]);
    const file = keyFile(path);
    const moving = moveKeys(file, keys, 300);
    await sleep(100);
    await file.change((rows) => revoke(rows, [hashOf(first)]));
    await keys.change((rows) => revoke(rows, [hashOf(second)]));
    const issued = await file.change((rows) => issue(rows, { tier: 'free' }, Date.now()));
    assert.equal(await moving, 3);
    assert.deepEqual(rowsOf(path), []);
    const found = await Promise.all(
      [hashOf(first), hashOf(second), issued.row.hash].map((hash) => keys.find(hash)),
    );
    assert.deepEqual(
      found.map((one) => [one?.tier, one?.revoked]),
      [
        ['enterprise', true],
        ['enterprise', true],
        ['free', undefined],
      ],
    );
  });
});

describe('keys in a store', needsValkey, () => {
  /** As a process has them, with a clock that the test can advance. */
  async function shared(
    t: TestContext,
    { file = undefined as KeyStore | undefined, timeoutMs = HASTY_MS } = {},
  ) {
    const { store, keys } = await stored(t, timeoutMs);
    let laterMs = 0;
    const finder = new SharedKeys(keys, file, () => performance.now() + laterMs);
    const tier = async (key: string) => {
      const found = await finder.find(key);
      return typeof found === 'string' ? found : found.tier;
    };
    const wait = (ms: number) => {
      laterMs += ms;
    };
    return { store, keys, finder, tier, wait };
  }

  const put = (key: string, terms: Partial<KeyRow> = {}) =>
    server.observer
      .multi()
      .set(NAMES.keysExist, '1')
      .hset(NAMES.keys, hashOf(key), JSON.stringify(row(key, terms)))
      .exec();

  test('known ones work while the store is out of reach, others are unavailable', async (t) => {
    const { store, tier, wait } = await shared(t);
    const [known, unknown, revoked, expired] = [generateKey(), generateKey(), generateKey(), generateKey()];
    await put(known);
    await put(revoked, { revoked: true });
    await put(expired, { expires: '2001-01-01' });
    const all = async () => Promise.all([known, unknown, revoked, expired].map(tier));
    assert.deepEqual(await all(), ['enterprise', 'invalid', 'invalid', 'invalid']);
    server.valkey.freeze();
    t.after(() => server.valkey.resume());
    assert.deepEqual(await all(), ['enterprise', 'invalid', 'invalid', 'invalid']);
    wait(60_000);
    assert.deepEqual(await all(), ['enterprise', 'unavailable', 'invalid', 'invalid']);
    assert.ok(!store.isAvailable);
    server.valkey.resume();
    while (!store.isAvailable) await sleep(10);
    assert.deepEqual(await all(), ['enterprise', 'invalid', 'invalid', 'invalid']);
  });

  test('a key that has been announced as changed is not used before it has been read', async (t) => {
    const { tier } = await shared(t);
    const key = generateKey();
    await put(key);
    assert.equal(await tier(key), 'enterprise');
    // The announcement arrives; the answer about the key does not.
    await server.observer
      .multi()
      .publish(NAMES.keyChanges, hashOf(key))
      .call('CLIENT', 'PAUSE', '3000', 'ALL')
      .exec();
    await sleep(500);
    assert.equal(await tier(key), 'unavailable');
  });

  test('a store without its keys makes no known key invalid', async (t) => {
    const { finder, keys, tier, wait } = await shared(t, { timeoutMs: PATIENT_MS });
    const [known, unseen] = [generateKey(), generateKey()];
    await put(known);
    assert.equal(await tier(known), 'enterprise');
    assert.ok(finder.isComplete);
    await server.observer.flushall();
    wait(10_000);
    assert.deepEqual([await tier(known), await tier(unseen)], ['enterprise', 'unavailable']);
    assert.ok(!finder.isComplete);
    await keys.change((rows) => ({ rows: [...rows, row(known)], result: undefined }));
    wait(10_000);
    assert.deepEqual([await tier(known), await tier(unseen)], ['enterprise', 'invalid']);
    assert.ok(finder.isComplete);
  });

  test('a damaged row is unavailable, and nothing of it is logged as a key', async (t) => {
    const { tier } = await shared(t, { timeoutMs: PATIENT_MS });
    const [damaged, misplaced, good] = [generateKey(), generateKey(), generateKey()];
    await server.observer.hset(NAMES.keys, hashOf(damaged), '{"hash": 1}');
    await server.observer.hset(NAMES.keys, hashOf(misplaced), JSON.stringify(row(good)));
    assert.deepEqual([await tier(damaged), await tier(misplaced)], ['unavailable', 'unavailable']);
    await server.observer.hdel(NAMES.keys, hashOf(damaged), hashOf(misplaced));
  });

  test('a key in the file needs no store; one revoked there is invalid wherever else it is', async (t) => {
    const [inFile, revoked, inStore] = [generateKey(), generateKey(), generateKey()];
    const file = new KeyStore([row(inFile), row(revoked, { revoked: true })].map(toRecord));
    const { tier } = await shared(t, { file, timeoutMs: PATIENT_MS });
    await put(revoked);
    await put(inStore);
    assert.deepEqual(
      [await tier(inFile), await tier(revoked), await tier(inStore)],
      ['enterprise', 'invalid', 'enterprise'],
    );
    file.isUpToDate = false;
    assert.equal(await tier(generateKey()), 'unavailable', 'the file may have it');
  });

  test('changes are announced after the connection was lost', async (t) => {
    const { tier } = await shared(t, { timeoutMs: PATIENT_MS });
    const key = generateKey();
    await put(key);
    assert.equal(await tier(key), 'enterprise');
    const subscribers = async () => {
      const [, count] = (await server.observer.call('PUBSUB', 'NUMSUB', NAMES.keyChanges)) as [
        string,
        number,
      ];
      return count;
    };
    await server.observer.call('CLIENT', 'KILL', 'TYPE', 'pubsub');
    while ((await subscribers()) === 0) await sleep(10);
    await put(key, { revoked: true });
    await server.observer.publish(NAMES.keyChanges, hashOf(key));
    await sleep(500);
    assert.equal(await tier(key), 'invalid');
  });

  test('many requests with one key are one operation', async (t) => {
    const { finder } = await shared(t, { timeoutMs: PATIENT_MS });
    const key = generateKey();
    await put(key);
    const commands = async () =>
      Number(/cmdstat_hget:calls=(\d+)/.exec(await server.observer.info('commandstats'))?.[1] ?? 0);
    const before = await commands();
    await Promise.all(Array.from({ length: 500 }, () => finder.find(key)));
    for (let i = 0; i < 100; i++) await finder.find(key);
    assert.equal((await commands()) - before, 1);
  });

  test('keys that clients make up do not push out known ones', async (t) => {
    const { tier, finder } = await shared(t, { timeoutMs: PATIENT_MS });
    const key = generateKey();
    await put(key);
    assert.equal(await tier(key), 'enterprise');
    const size = finder.size;
    await Promise.all(Array.from({ length: 3_000 }, () => tier(generateKey())));
    assert.equal(finder.size, size);
  });
});
