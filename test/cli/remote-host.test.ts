import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { type Clock, install } from '@sinonjs/fake-timers';
import { RemoteFailure } from '../../host/cli/failure.ts';
import { Host } from '../../host/cli/remote/host.ts';
import { Hosts } from '../../host/cli/remote/hosts.ts';
import { RequestFailed, type Verdict } from '../../host/cli/remote/send-image.ts';

const JITTER = 1.25;

function failed(verdict: Verdict, retryAfterMs?: number, status?: number): RequestFailed {
  const failure = { code: 'a_code', message: 'A message.', ...(status === undefined ? {} : { status }) };
  return new RequestFailed(verdict, failure, retryAfterMs);
}

/** Fails at `nowMs`; returns how long the host is left out then. */
function pauseAfter(host: Host, request: RequestFailed, nowMs: number): number {
  host.begin();
  host.failed(request, nowMs);
  return host.pausedUntilMs - nowMs;
}

describe('a host of --remote', () => {
  test('is left out for longer after each fault, at most half a minute, and is lost after a minute', () => {
    const host = new Host('http://localhost', 8);
    let nowMs = 1_000;
    for (const expected of [1, 2, 4, 8, 16, 30, 30]) {
      assert.equal(host.isLost(nowMs), nowMs >= 61_000, `at ${nowMs}`);
      const pause = pauseAfter(host, failed('fault'), nowMs);
      assert.ok(pause >= expected * 1_000 && pause <= expected * 1_000 * JITTER, `${pause} ms`);
      assert.ok(!host.hasRoom(nowMs + pause - 1));
      nowMs += pause;
      assert.ok(host.hasRoom(nowMs));
    }
    assert.ok(host.isLost(nowMs));
    host.begin();
    host.succeeded(nowMs);
    assert.ok(!host.isLost(nowMs));
    const pause = pauseAfter(host, failed('fault'), nowMs);
    assert.ok(pause >= 1_000 && pause <= 1_000 * JITTER);
  });

  test('counts requests that break together once, and is then tried by one request', () => {
    const host = new Host('http://localhost', 8);
    for (let count = 0; count < 8; count++) host.begin();
    host.failed(failed('fault'), 0);
    const untilMs = host.pausedUntilMs;
    for (let count = 0; count < 7; count++) host.failed(failed('fault'), 10);
    assert.equal(host.pausedUntilMs, untilMs);
    assert.ok(host.hasRoom(untilMs));
    host.begin();
    assert.ok(!host.hasRoom(untilMs));
    host.succeeded(untilMs);
    host.begin();
    assert.ok(host.hasRoom(untilMs));
  });

  test('waits as long as the service says, and never for less', () => {
    for (let run = 0; run < 50; run++) {
      const pause = pauseAfter(new Host('http://localhost', 8), failed('later', 40_000, 429), 0);
      assert.ok(pause >= 40_000 && pause <= 40_000 * JITTER, `${pause} ms`);
    }
  });

  test('a shorter delay does not end a longer one', () => {
    const host = new Host('http://localhost', 8);
    const pause = pauseAfter(host, failed('later', 40_000, 429), 0);
    assert.equal(pauseAfter(host, failed('later', 1_000, 503), 0), pause);
  });

  test('gets no more requests at the same time than it accepts, and one more from time to time', () => {
    const host = new Host('http://localhost', 8);
    for (let count = 0; count < 8; count++) host.begin();
    for (let count = 0; count < 6; count++) host.failed(failed('concurrency', 1_000, 429), 0);
    assert.equal(host.inFlight, 2);
    assert.ok(!host.hasRoom(0));
    const finishOne = (nowMs: number) => {
      host.succeeded(nowMs);
      assert.ok(host.hasRoom(nowMs));
      host.begin();
    };
    for (let count = 0; count < 20; count++) finishOne(5_000);
    assert.ok(!host.hasRoom(5_000));
    for (let count = 0; count < 3; count++) finishOne(11_000);
    assert.ok(host.hasRoom(11_000));
  });

  test('that refuses the only request in flight is left out for the delay', () => {
    const pause = pauseAfter(new Host('http://localhost', 8), failed('concurrency', 2_000, 429), 0);
    assert.ok(pause >= 2_000);
  });

  test('that refuses every image is left out for good', () => {
    const host = new Host('http://localhost', 8);
    assert.equal(pauseAfter(host, failed('host', undefined, 401), 0), Number.POSITIVE_INFINITY);
    assert.ok(host.isLost(0));
  });

  test('is not left out because of one image', () => {
    const host = new Host('http://localhost', 8);
    for (const verdict of ['image', 'slow'] as const)
      assert.ok(pauseAfter(host, failed(verdict, undefined, 422), 0) <= 0);
    assert.ok(host.hasRoom(0));
  });
});

describe('the hosts of --remote', () => {
  let clock: Clock;
  beforeEach(() => {
    clock = install({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  });
  afterEach(() => clock.uninstall());

  /** Sends requests that all break until none is sent any more; returns how long that takes. */
  async function untilGivenUp(hosts: Hosts): Promise<{ ms: number; requests: number; error: unknown }> {
    const startMs = clock.now;
    let requests = 0;
    let error: unknown;
    const send = async () => {
      while (error === undefined) {
        const host = await hosts.begin(clock.now + 600_000);
        requests++;
        hosts.failed(host, failed('fault'));
      }
    };
    void send().catch((reason) => {
      error = reason;
    });
    for (let step = 0; step < 1_000 && error === undefined; step++) await clock.nextAsync();
    return { ms: clock.now - startMs, requests, error };
  }

  test('are given up when none has responded for a minute', async () => {
    const hosts = new Hosts(['http://one', 'http://two'], 4, () => {});
    const { ms, requests, error } = await untilGivenUp(hosts);
    assert.ok(error instanceof RemoteFailure, String(error));
    assert.ok(ms >= 60_000 && ms <= 100_000, `${ms} ms`);
    assert.ok(requests <= 20, `${requests} requests`);
    // What is left of the run fails at once.
    await assert.rejects(hosts.begin(clock.now + 600_000), RemoteFailure);
  });

  test('an image waits no longer than it may', async () => {
    const notes: string[] = [];
    const hosts = new Hosts(['http://one'], 4, (text) => notes.push(text));
    hosts.failed(await hosts.begin(clock.now + 1), failed('later', 20_000, 429));
    await assert.rejects(hosts.begin(clock.now + 10_000), RemoteFailure);
    const begun = hosts.begin(clock.now + 30_000);
    await clock.tickAsync(26_000);
    assert.equal((await begun).url, 'http://one');
    assert.equal(notes.length, 1);
    assert.match(String(notes[0]), /^A message\. No requests to this host for 2\d\.\d s\.$/);
  });

  test('requests go to the host with the fewest in flight', async () => {
    const hosts = new Hosts(['http://one', 'http://two'], 4, () => {});
    const urls = [];
    for (let count = 0; count < 4; count++) urls.push((await hosts.begin(clock.now + 1)).url);
    assert.deepEqual(urls, ['http://one', 'http://two', 'http://one', 'http://two']);
  });
});
