import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { exchange, KeptConnection } from '../attacks/support/client.ts';
import { get, upload } from '../attacks/support/connections.ts';
import { DEADLINE_MS, Service } from '../http/service.ts';
import { checkerboard } from './bombs.ts';
import { capacityOf, percentile, secondFor, smallRequests } from './loaded-service.ts';

const CLIENTS = 3_500;
const RAMP_MS = 2_000;
const LOAD_MS = 5_000;
/** Of the capacity. Measured on two quiet processors, which client and service share: 0.79 to 0.92. Other programs move it. */
const MIN_SHARE = 0.6;
const PAUSE_MS = 50;

test('3,500 clients that retry at once leave the workers their time, and health checks are answered', async (t) => {
  const service = await Service.start();
  let [isLoaded, isOver, answered, unanswered, done] = [false, false, 0, 0, 0];
  const clients = Array.from({ length: CLIENTS }, () => new KeptConnection(service.port));
  t.after(() => {
    // Otherwise the clients would go on after a failure, and this process with them.
    isOver = true;
    for (const client of clients) client.close();
    return service.stop();
  });
  const bytes = upload(service.keys.enterprise, await checkerboard(250));
  const calm = (await smallRequests(service, service.keys.custom, 10, 20)).sorted;
  const capacityBefore = await capacityOf(service.port, bytes);

  const flood = clients.map(async (client, i) => {
    await sleep((RAMP_MS * i) / CLIENTS);
    for (let tries = 1; !isOver; tries++) {
      const { answers } = await client.send(bytes);
      if (isOver) return;
      if (tries === 1) answered++;
      if (answers.length === 0) unanswered++;
      if (isLoaded && answers[0]?.status === 200) done++;
    }
  });
  // By then, all are connected, and most wait for an error.
  for (const endMs = performance.now() + DEADLINE_MS / 2; answered < CLIENTS; await sleep(50))
    assert.ok(performance.now() < endMs, `${answered} clients have had an answer`);
  isLoaded = true;
  const startMs = performance.now();
  const probes = [service.port, Number(new URL(service.metricsUrl).port)].map(async (port) => {
    const durations: number[] = [];
    for (let sentMs = startMs; sentMs < startMs + LOAD_MS; await sleep(PAUSE_MS)) {
      sentMs = performance.now();
      const { answers } = await exchange(port, get('/livez'));
      assert.equal(answers[0]?.status, 200);
      durations.push(performance.now() - sentMs);
    }
    return percentile(
      durations.sort((a, b) => a - b),
      0.99,
    );
  });
  const slowest = await Promise.all(probes);
  const goodput = (done / (performance.now() - startMs)) * 1000;
  isOver = true;
  for (const client of clients) client.close();
  await Promise.all(flood);

  let share = goodput / capacityBefore;
  // The machine may be slower by now, for reasons outside of this test.
  if (share < MIN_SHARE) share = Math.max(share, goodput / (await capacityOf(service.port, bytes)));
  t.diagnostic(`${(100 * share).toFixed(0)} % of the capacity; 99 % of health checks within ${slowest} ms`);
  assert.equal(unanswered, 0, 'connections were closed without an answer');
  assert.ok(share >= MIN_SHARE, `${goodput} of ${capacityBefore} requests a second`);
  for (const ms of slowest) assert.ok(ms <= secondFor(calm), `a health check took ${ms} ms`);
});
