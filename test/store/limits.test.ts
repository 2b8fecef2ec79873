import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Account } from '../../host/auth/authenticate.ts';
import type { Admission } from '../../host/limits/admission.ts';
import { ADMITTED, NAMES, RATE_LIMITED } from '../../host/store/scripts.ts';
import { SharedLimiter } from '../../host/store/shared-limiter.ts';
import { Store } from '../../host/store/store.ts';
import { DEADLINE_MS } from '../http/service.ts';
import { needsValkey, useValkey } from './use-valkey.ts';

/** Long, as the machine of a test can be busy. */
const PATIENT_MS = 5_000;
/** For tests in which the store does not answer. */
const HASTY_MS = 500;

const server = useValkey(['--maxmemory', '100mb', '--maxmemory-policy', 'noeviction']);

let accounts = 0;
const account = (requestsPerMinute: number, maxConcurrent = Number.POSITIVE_INFINITY): Account => ({
  id: `account ${++accounts}`,
  tier: 'free',
  requestsPerMinute,
  maxConcurrent,
});

/** A limiter with its own connection, as another process has it. */
async function limiter(t: TestContext, { processes = 3, timeoutMs = PATIENT_MS } = {}) {
  const store = await Store.connect({ url: server.valkey.url, timeoutMs });
  t.after(() => store.close());
  const limits = await SharedLimiter.create(store, { processes });
  return { limits, store };
}

async function limiters(t: TestContext, options = {}) {
  return Promise.all([0, 1, 2].map(() => limiter(t, options)));
}

/** Sends requests to all limiters in turn, at once. */
async function ask(all: { limits: SharedLimiter }[], who: Account, count: number) {
  const asked = Array.from({ length: count }, (_, i) => all[i % all.length]?.limits.admit(who));
  const results = await Promise.allSettled(asked);
  const passed = results.flatMap((one) => (one.status === 'fulfilled' ? [one.value as Admission] : []));
  const codes = new Set(
    results.flatMap((one) => (one.status === 'rejected' ? [String(one.reason.code ?? one.reason)] : [])),
  );
  return { passed, codes: [...codes] };
}

async function until(what: string, isDone: () => boolean | Promise<boolean>): Promise<void> {
  const endMs = Date.now() + DEADLINE_MS;
  while (!(await isDone())) {
    if (Date.now() > endMs) throw new Error(`not within the deadline: ${what}`);
    await sleep(10);
  }
}

describe('limits in a shared store', needsValkey, () => {
  test('of many requests at once to three processes, exactly as many pass as the rate allows', async (t) => {
    const all = await limiters(t);
    const who = account(10);
    const { passed, codes } = await ask(all, who, 999);
    assert.deepEqual([passed.length, codes], [10, ['rate_limited']]);
    const remaining = passed.map(({ headers }) => Number(headers['X-RateLimit-Remaining']));
    assert.deepEqual(
      remaining.sort((a, b) => a - b),
      [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    );
    // As if they had come just now: on a busy machine, so many requests take longer than a second.
    const key = NAMES.rate(who.id);
    const [, oldestUs] = await server.observer.zrange(key, '0', '0', 'WITHSCORES');
    await age(key, Number(oldestUs) - 1_000 * Date.now());
    await assert.rejects(async () => all[0]?.limits.admit(who), {
      code: 'rate_limited',
      headers: /** What a process by itself answers, too. */ {
        'Retry-After': '60',
        'RateLimit-Policy': '"default";q=10;w=60',
        RateLimit: '"default";r=0;t=60',
        'X-RateLimit-Limit': '10',
        'X-RateLimit-Remaining': '0',
        'X-RateLimit-Reset': await resetIn(60),
      },
    });
  });

  test('never more than the limit in any window, and no rejection below it', async (t) => {
    const LIMIT = 10;
    const WINDOW_US = 300_000;
    const all = await limiters(t);
    const epoch = String(await server.observer.get(NAMES.epoch));
    const { id } = account(LIMIT);
    const key = NAMES.rate(id);
    const times: number[] = [];
    const endMs = Date.now() + 2_000;
    let seed = 7;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    await Promise.all(
      all.map(async ({ store }, process) => {
        for (let round = 0; Date.now() < endMs; round++) {
          const request = `${process}:${round}`;
          const [[status], time] = await store.run((client) =>
            Promise.all([
              client.admit(key, NAMES.places(id), NAMES.epoch, request, epoch, LIMIT, WINDOW_US, 0, 0),
              client.zscore(key, request),
            ]),
          );
          assert.ok(status === ADMITTED || status === RATE_LIMITED, `${status}`);
          if (status === ADMITTED) times.push(Number(time));
          if (random() < 0.3) await sleep(random() * 5);
        }
      }),
    );
    times.sort((a, b) => a - b);
    assert.ok(times.length >= 6 * LIMIT, `only ${times.length} passed in 2 s`);
    // A request exactly one window old still counts.
    for (let at = LIMIT; at < times.length; at++) {
      const spanUs = Number(times[at]) - Number(times[at - LIMIT]);
      assert.ok(spanUs > WINDOW_US, `${LIMIT + 1} requests within ${spanUs} µs`);
    }
  });

  test('a request exactly 60 seconds old still counts, an older one does not', async (t) => {
    const { limits } = await limiter(t);
    const who = account(2);
    await limits.admit(who);
    await limits.admit(who);
    // Time passes for them: their times become earlier.
    await age(NAMES.rate(who.id), 59_000_000);
    await assert.rejects(limits.admit(who), (error: { headers: Record<string, string> }) => {
      assert.equal(error.headers['Retry-After'], '1');
      return true;
    });
    await sleep(1_010);
    assert.equal((await limits.admit(who)).headers['X-RateLimit-Remaining'], '1');
  });

  test('the number of concurrent requests is limited over all processes', async (t) => {
    const all = await limiters(t);
    const who = account(1_000, 8);
    const { passed, codes } = await ask(all, who, 100);
    assert.deepEqual([passed.length, codes], [8, ['concurrency_limited']]);
    passed[0]?.release();
    passed[0]?.release();
    await until('a place is free', async () => (await server.observer.zcard(NAMES.places(who.id))) === 7);
    const next = await ask(all, who, 10);
    assert.equal(next.passed.length, 1);
    const first = next.passed[0];
    assert.equal(first?.headers['X-RateLimit-Remaining'], '991', 'a rejected request does not count');
  });

  test('a refunded request can be made again, once', async (t) => {
    const all = await limiters(t);
    const who = account(10);
    const { passed } = await ask(all, who, 10);
    const last = passed.find(({ headers }) => headers['X-RateLimit-Remaining'] === '0');
    assert.equal(last?.refund()['X-RateLimit-Remaining'], '1');
    last?.refund();
    await until('the store has heard', async () => (await server.observer.zcard(NAMES.rate(who.id))) === 9);
    const { passed: again, codes } = await ask(all, who, 10);
    assert.deepEqual([again.length, codes], [1, ['rate_limited']]);
  });

  test('a killed process gives its places back', async (t) => {
    const [dead, alive] = (await limiters(t)) as [
      { limits: SharedLimiter; store: Store },
      { limits: SharedLimiter },
    ];
    const who = account(1_000, 2);
    await dead.limits.admit(who);
    const held = await alive.limits.admit(who);
    await assert.rejects(alive.limits.admit(who), { code: 'concurrency_limited' });
    await dead.store.close();
    // Leases end within 10 s, unless their process renews them. The time comes nearer for both.
    const places = NAMES.places(who.id);
    const ends = async () =>
      (await server.observer.zrange(places, '0', '-1', 'WITHSCORES')).filter((_, i) => i % 2);
    await age(places, 6_000_000);
    const before = await ends();
    await until('the living process renews its lease', async () => (await ends())[1] !== before[1]);
    assert.equal((await ends())[0], before[0], 'the other lease stays as it is');
    await age(places, 5_000_000);
    (await alive.limits.admit(who)).release();
    held.release();
  });

  test('an unlimited account costs the store nothing', async (t) => {
    const { limits } = await limiter(t);
    const unlimited = account(Number.POSITIVE_INFINITY);
    const admission = await limits.admit(unlimited);
    assert.deepEqual(admission.headers, {});
    assert.equal(limits.inFlight, 1);
    admission.release();
    assert.equal(limits.inFlight, 0);
    assert.equal(await server.observer.exists(NAMES.rate(unlimited.id), NAMES.places(unlimited.id)), 0);
  });

  test('what is counted expires', async (t) => {
    const { limits } = await limiter(t);
    const who = account(10, 10);
    await limits.admit(who);
    for (const [key, most] of [
      [NAMES.rate(who.id), 61_000],
      [NAMES.places(who.id), 11_000],
    ] as const) {
      const left = await server.observer.pttl(key);
      assert.ok(left > 0 && left <= most, `${key}: ${left}`);
    }
  });

  test('a clock that is set back locks nobody out', async (t) => {
    const { limits } = await limiter(t);
    const who = account(2);
    await limits.admit(who);
    await age(NAMES.rate(who.id), -30_000_000);
    await limits.admit(who);
    await assert.rejects(limits.admit(who), { code: 'rate_limited' }, 'both still count');
    await age(NAMES.rate(who.id), -3_600_000_000);
    assert.equal((await limits.admit(who)).headers['X-RateLimit-Remaining'], '1');
  });
});

describe('limits while the store is out of reach', needsValkey, () => {
  /** The share of each of three processes in a rate of 10. */
  const SHARE = 3;

  /** Ways in which a store fails, and how it recovers. */
  const FAULTS: { name: string; fail: () => Promise<unknown>; repair: () => Promise<unknown> }[] = [
    { name: 'frozen', fail: async () => server.valkey.freeze(), repair: async () => server.valkey.resume() },
    {
      name: 'killed, and started again without data',
      fail: () => server.valkey.kill(),
      repair: () => server.valkey.restart(),
    },
    {
      name: 'full',
      fail: () => server.observer.config('SET', 'maxmemory', '1'),
      repair: () => server.observer.config('SET', 'maxmemory', '100mb'),
    },
    {
      name: 'a replica',
      fail: () => server.observer.call('REPLICAOF', '127.0.0.1', '1'),
      repair: () => server.observer.call('REPLICAOF', 'NO', 'ONE'),
    },
  ];

  for (const { name, fail, repair } of FAULTS)
    test(`${name}: each process grants its share, and reports it afterwards`, async (t) => {
      const all = await limiters(t, { timeoutMs: HASTY_MS });
      const who = account(10);
      assert.equal((await ask(all, who, 3)).passed.length, 3, 'one each');
      await fail();
      t.after(repair);
      const during = await ask(all, who, 300);
      assert.equal(
        during.passed.length,
        3 * (SHARE - 1),
        'what a process granted before counts in its share',
      );
      assert.deepEqual(during.codes, ['rate_limited']);
      assert.ok(all.every(({ store }) => !store.isAvailable));
      await repair();
      await until('all are back', () => all.every(({ store }) => store.isAvailable));
      assert.equal(await server.observer.zcard(NAMES.rate(who.id)), 9, 'the store knows all of them');
      const later = await ask(all, who, 30);
      assert.equal(later.passed.length, 1);
    });

  test('lost data is reported again, and no more passes than without', async (t) => {
    const all = await limiters(t);
    const who = account(10, 10);
    const before = await ask(all, who, 9);
    await server.observer.flushall();
    const during = await ask(all, who, 90);
    assert.ok(during.passed.length <= 1, `${during.passed.length} of one`);
    await until('all are back', () => all.every(({ store }) => store.isAvailable));
    const { passed } = await ask(all, who, 30);
    assert.equal(before.passed.length + during.passed.length + passed.length, 10);
    await until('places are back', async () => (await server.observer.zcard(NAMES.places(who.id))) === 10);
  });

  test('a lost script is sent again', async (t) => {
    const [{ limits, store }] = (await limiters(t)) as [{ limits: SharedLimiter; store: Store }];
    const who = account(10);
    await limits.admit(who);
    await server.observer.script('FLUSH');
    assert.equal((await limits.admit(who)).headers['X-RateLimit-Remaining'], '8');
    assert.ok(store.isAvailable);
  });

  test('places that were freed meanwhile are free when the store is back', async (t) => {
    const all = await limiters(t, { timeoutMs: HASTY_MS });
    const who = account(1_000, 3);
    const held = await ask(all, who, 3);
    assert.equal(held.passed.length, 3);
    server.valkey.freeze();
    t.after(() => server.valkey.resume());
    for (const { release } of held.passed) release();
    const during = await ask(all, who, 6);
    assert.equal(during.passed.length, 3, 'each process has a share of one');
    server.valkey.resume();
    await until('all are back', () => all.every(({ store }) => store.isAvailable));
    assert.equal(await server.observer.zcard(NAMES.places(who.id)), 3, 'only those of requests in flight');
    during.passed[0]?.release();
    await until('the place is free', async () => (await server.observer.zcard(NAMES.places(who.id))) === 2);
    assert.equal((await ask(all, who, 9)).passed.length, 1);
  });

  test('a request waits once at most, and not at all once the store is known to be out of reach', async (t) => {
    const { limits, store } = await limiter(t, { timeoutMs: 1_000, processes: 1 });
    const who = account(1_000);
    server.valkey.freeze();
    t.after(() => server.valkey.resume());
    // How long that takes at most: simulation.test.ts, where time is exact.
    await Promise.all(Array.from({ length: 100 }, () => limits.admit(who)));
    assert.ok(!store.isAvailable);
    let turns = 0;
    setImmediate(() => turns++);
    for (let request = 0; request < 100; request++) await limits.admit(who);
    assert.equal(turns, 0, 'no request waits for anything');
  });
});

/** Makes the times in a sorted set earlier. */
async function age(key: string, byUs: number): Promise<void> {
  const entries = await server.observer.zrange(key, '0', '-1', 'WITHSCORES');
  for (let at = 0; at < entries.length; at += 2)
    await server.observer.zadd(key, Number(entries[at + 1]) - byUs, String(entries[at]));
}

/** The value of X-RateLimit-Reset in a number of seconds; the second must not end in between. */
async function resetIn(seconds: number): Promise<string> {
  const intoSecondMs = Date.now() % 1_000;
  if (intoSecondMs > 800) await sleep(1_010 - intoSecondMs);
  return String(Math.ceil(Date.now() / 1000) + seconds);
}
