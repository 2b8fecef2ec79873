import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { generateKey, isWellFormedKey } from '../../host/auth/api-key.ts';
import type { Account } from '../../host/auth/authenticate.ts';
import { configTooLarge, fileTooLarge, processingTimeout } from '../../host/errors/details.ts';
import type { Problem } from '../../host/errors/problem.ts';
import { within } from '../../host/errors/within.ts';
import { negotiateType } from '../../host/http/content-negotiation.ts';
import type { Admission } from '../../host/limits/admission.ts';
import { LocalLimiter } from '../../host/limits/local-limiter.ts';
import { untilSuccess } from '../../host/site/until-success.ts';
import { boundaryOf, DelimiterCounter } from '../../host/upload/boundary.ts';
import { DEADLINE_MS } from './service.ts';

describe('rate limiter', () => {
  const account: Account = { id: 'a', tier: 'free', requestsPerMinute: 10, maxConcurrent: 1 };

  /** A request that has ended, so that only the rate limits. */
  const pass = (rates: LocalLimiter): Admission => {
    const admission = rates.admit(account);
    admission.release();
    return admission;
  };
  const tryPass = (rates: LocalLimiter): Admission | undefined => {
    try {
      return pass(rates);
    } catch {
      return undefined;
    }
  };

  test('a request exactly 60 seconds old still counts, an older one does not', () => {
    let now = 0;
    const rates = new LocalLimiter(() => now);
    for (let i = 0; i < 10; i++) assert.ok(tryPass(rates));
    for (now of [1, 30_000, 59_999, 60_000]) assert.ok(!tryPass(rates), `at ${now} ms`);
    now = 60_000.001;
    for (let i = 0; i < 10; i++) assert.ok(tryPass(rates));
    assert.ok(!tryPass(rates));
  });

  test('never more than the limit in any 60 seconds, and no rejection below it', () => {
    let seed = 1;
    const random = () => {
      seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
      return seed / 2 ** 32;
    };
    let now = 0;
    const rates = new LocalLimiter(() => now);
    const counted: number[] = [];
    for (let round = 0; round < 5_000; round++) {
      // Bursts, pauses, and steps exactly onto the end of a window.
      const edge = (counted[Math.floor(random() * counted.length)] ?? 0) + 60_000;
      now = random() < 0.2 && edge >= now ? edge : now + random() ** 6 * 30_000;
      const before = counted.filter((time) => time >= now - 60_000).length;
      const passed = tryPass(rates);
      assert.equal(passed !== undefined, before < 10, `${before} counted in the 60 s before ${now}`);
      if (passed === undefined) continue;
      if (random() < 0.2) passed.refund();
      else counted.push(now);
    }
  });

  test('a request after the delay of Retry-After passes', () => {
    for (const later of [0, 0.4, 999.999, 1000, 59_999, 60_000]) {
      let now = 5_000;
      const rates = new LocalLimiter(() => now);
      for (let i = 0; i < 10; i++) pass(rates);
      now += later;
      let waitS = 0;
      assert.throws(
        () => pass(rates),
        (problem: Problem) => {
          waitS = Number(problem.headers['Retry-After']);
          return problem.code === 'rate_limited';
        },
      );
      now += waitS * 1000 - 1000;
      assert.ok(!tryPass(rates), 'not a second too long');
      now += 1000;
      assert.ok(tryPass(rates));
    }
  });

  test('a refunded request can be made again, once', () => {
    const rates = new LocalLimiter(() => 0);
    const passes = Array.from({ length: 10 }, () => pass(rates));
    assert.throws(() => pass(rates), { code: 'rate_limited' });
    passes[0]?.refund();
    passes[0]?.refund();
    pass(rates);
    assert.throws(() => pass(rates), { code: 'rate_limited' });
  });
});

describe('within', () => {
  const late = () => processingTimeout(1);

  test('rejects when the time is over', async () => {
    await assert.rejects(within(1, new Promise(() => {}), late), { code: 'processing_timeout' });
  });

  test('settles like the promise', async () => {
    assert.equal(await within(DEADLINE_MS, Promise.resolve(7), late), 7);
    await assert.rejects(within(DEADLINE_MS, Promise.reject(new Error('bad')), late), /bad/);
  });
});

describe('untilSuccess', () => {
  test('repeats a failed call, and keeps the first success', async () => {
    let calls = 0;
    const load = untilSuccess(async () => {
      calls++;
      if (calls === 1) throw new Error('failed once');
      return calls;
    });
    const failed = await Promise.allSettled([load(), load()]);
    assert.deepEqual([calls, ...failed.map(({ status }) => status)], [1, 'rejected', 'rejected']);
    assert.deepEqual(await Promise.all([load(), load()]), [2, 2]);
    assert.equal(await load(), 2);
    assert.equal(calls, 2);
  });
});

describe('API keys', () => {
  test('are well-formed, and a typo of one character is detected', () => {
    const key = generateKey();
    assert.match(key, /^ts_live_[0-9A-Za-z]{36}$/);
    assert.ok(isWellFormedKey(key));
    for (let i = 0; i < key.length; i++) {
      const other = key[i] === 'x' ? 'y' : 'x';
      assert.ok(!isWellFormedKey(key.slice(0, i) + other + key.slice(i + 1)));
    }
  });
});

describe('Accept', () => {
  const cases = [
    [undefined, 'application/json'],
    ['*/*', 'application/json'],
    ['image/svg+xml', 'image/svg+xml'],
    ['image/*', 'image/svg+xml'],
    ['image/svg+xml, */*', 'image/svg+xml'],
    ['image/svg+xml;q=0.5, application/json', 'application/json'],
    ['application/json;q=0.5, image/svg+xml', 'image/svg+xml'],
    ['application/json, image/svg+xml', 'application/json'],
    ['*/*, application/json;q=0', 'image/svg+xml'],
    ['image/svg+xml, application/json', 'application/json'],
    ['image/svg+xml; charset=utf-8', 'image/svg+xml'],
    ['application/json; charset=utf-8; q=0.5, image/svg+xml; q=0.4', 'application/json'],
  ] as const;
  for (const [accept, expected] of cases)
    test(String(accept), () => assert.equal(negotiateType(accept), expected));

  test('no acceptable type', () => {
    for (const accept of ['text/html', 'application/json;q=0', 'nonsense']) {
      assert.throws(() => negotiateType(accept), { code: 'not_acceptable' });
    }
  });
});

describe('delimiters', () => {
  test('are counted however the stream is split', () => {
    const body = Buffer.from('--b\r\n\r\nx\r\n--b\r\n\r\n--b\r\n--by\r\n--b--');
    for (let size = 1; size <= body.length; size++) {
      const counter = new DelimiterCounter('b');
      for (let at = 0; at < body.length; at += size) counter.push(body.subarray(at, at + size));
      // A delimiter followed by further characters is still one: busboy ends the part there.
      assert.equal(counter.count, 5, `pieces of ${size}`);
    }
  });

  test('boundaries, quoted and unquoted', () => {
    assert.equal(boundaryOf('multipart/form-data; boundary=abc'), 'abc');
    assert.equal(boundaryOf('multipart/form-data; charset=utf-8; boundary="a b:c"; x=y'), 'a b:c');
    for (const bad of ['', 'boundary=', 'boundary=""', `boundary=${'a'.repeat(71)}`, 'boundary=a b']) {
      assert.equal(boundaryOf(`multipart/form-data; ${bad}`), undefined, bad);
    }
  });
});

describe('error details', () => {
  test('show limits in the largest unit that divides them', () => {
    assert.equal(fileTooLarge(20 * 1024 ** 2).message, 'The file exceeds the 20 MiB limit.');
    assert.equal(configTooLarge(16 * 1024).message, 'The part "config" exceeds the 16 KiB limit.');
    assert.equal(fileTooLarge(1500).message, 'The file exceeds the 1,500-byte limit.');
  });
});
