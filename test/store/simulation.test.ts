import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';
import { Valkey } from '../../scripts/processes/valkey.ts';
import { type Conditions, Simulation, TIMEOUT_MS } from './simulation.ts';
import { needsValkey } from './use-valkey.ts';

const MINUTE_MS = 60_000;
const SEED = 20_261_124;
const PROCESSES = 100;
const LIMIT = 1_000;
const CONCURRENT = 40;
/** What one process may grant without the store: its share, and at least one. */
const share = (limit: number) => Math.max(1, Math.floor(limit / PROCESSES));
/** What may pass in all if every process has to do without the store. */
const bound = (limit: number) => limit + PROCESSES * share(limit);
const LEASE_MS = 10_000;

describe('100 processes on one store', needsValkey, () => {
  let valkey: Valkey;
  let simulation: Simulation | undefined;
  before(async () => {
    valkey = await Valkey.start();
  });
  afterEach(() => simulation?.stop());
  after(() => valkey.stop());

  /** Clocks differ in all of them. */
  async function simulate(conditions: Partial<Conditions> = {}, limit = LIMIT): Promise<Simulation> {
    const account = {
      id: 'busy',
      tier: 'pro',
      requestsPerMinute: limit,
      maxConcurrent: CONCURRENT,
    } as const;
    const defaults = {
      seed: SEED,
      processes: PROCESSES,
      arrivals: 40,
      loss: 0,
      maxDelayMs: 4,
      hasKeys: false,
    };
    simulation = await Simulation.start(valkey.url, { ...defaults, account, ...conditions });
    return simulation;
  }

  test('the limits are exact, however wrong the clocks of the processes are', async () => {
    const world = await simulate();
    await world.run(MINUTE_MS - 1_000);
    assert.equal(world.mostWithin(MINUTE_MS), LIMIT);
    await world.run(75_000);
    // A response arrives later than the store has decided.
    assert.equal(world.mostWithin(MINUTE_MS - 2 * world.conditions.maxDelayMs), LIMIT);
    assert.ok(world.admitted.length >= 2 * LIMIT, `${world.admitted.length} passed`);
    assert.ok(world.maxInFlight <= CONCURRENT);
    assert.equal(world.localDecisions, 0);
  });

  test('10 requests per minute are 10 over all processes', async () => {
    const world = await simulate({}, 10);
    await world.run(2 * MINUTE_MS + 10_000);
    assert.equal(world.mostWithin(MINUTE_MS - 2 * world.conditions.maxDelayMs), 10);
    assert.ok(world.admitted.length >= 20);
    assert.ok((world.rejected.rate_limited ?? 0) > 1_000);
  });

  test('at most so many are in flight over all processes', async () => {
    const world = await simulate({ arrivals: 200 }, 100_000);
    await world.run(20_000);
    assert.equal(world.maxInFlight, CONCURRENT);
    assert.ok((world.rejected.concurrency_limited ?? 0) > 100);
  });

  test('a clock of the store that is set back and corrected shortens the minute by no more than that', async () => {
    const world = await simulate();
    await world.run(10_000);
    const stepMs = 20_000;
    world.storeOffsetMs = -stepMs;
    await world.run(20_000);
    world.storeOffsetMs = 0;
    await world.run(80_000);
    const most = world.mostWithin(MINUTE_MS - stepMs - 2 * world.conditions.maxDelayMs);
    assert.ok(most <= LIMIT, `${most} passed`);
    assert.ok(world.admitted.length > LIMIT);
  });

  test('lost and late messages: what passes stays within the stated bound', async () => {
    const world = await simulate({ loss: 0.02, maxDelayMs: 30 });
    await world.run(2 * MINUTE_MS);
    assert.ok(world.localDecisions > 100, `${world.localDecisions} local decisions`);
    const most = world.mostWithin(MINUTE_MS);
    assert.ok(most <= bound(LIMIT), `${most} passed`);
    // What nobody knows about counts as well, as it may have passed.
    assert.ok(most >= 0.95 * LIMIT, `only ${most} passed`);
    assert.ok(world.maxInFlight <= bound(CONCURRENT), `${world.maxInFlight} in flight`);
  });

  test('the store is out of reach and loses its data: the bound holds, and the store is used again', async () => {
    const world = await simulate();
    await world.run(20_000);
    world.isCut = true;
    await world.run(MINUTE_MS);
    assert.equal(world.connected, 0);
    await world.loseData();
    world.isCut = false;
    await world.run(5_000);
    assert.equal(world.connected, PROCESSES);
    const decisions = world.localDecisions;
    await world.run(90_000);
    assert.equal(world.localDecisions, decisions);
    const most = world.mostWithin(MINUTE_MS);
    assert.ok(most <= bound(LIMIT), `${most} passed`);
    assert.ok(world.maxInFlight <= bound(CONCURRENT));
  });

  test('the store restarts without its data: what had passed before still counts', async () => {
    const world = await simulate();
    await world.run(20_000);
    const before = world.admitted.length;
    world.isCut = true;
    await world.loseData();
    await world.run(2_000);
    world.isCut = false;
    await world.run(1_000);
    const meanwhile = world.admitted.length - before;
    await world.run(50_000);
    const most = world.mostWithin(MINUTE_MS);
    assert.ok(most <= LIMIT + meanwhile, `${most} passed, ${meanwhile} of them during the restart`);
  });

  // Twice, as a request looks up its key and asks for its limits.
  const STATED_ADDITION_MS = 2 * TIMEOUT_MS;
  /** Each process notices an outage by one request, while it hardly ever has others. */
  const oncePerProcess = () => PROCESSES;
  /** A request needs a message each way. */
  const lost = (requests: number) => 0.2 * requests;
  const FAULTS: {
    name: string;
    fail: (world: Simulation) => unknown;
    repair: (world: Simulation) => unknown;
    mostSlow: (requests: number) => number;
  }[] = [
    {
      name: 'is out of reach',
      mostSlow: oncePerProcess,
      fail: (world) => {
        world.isCut = true;
      },
      repair: (world) => {
        world.isCut = false;
      },
    },
    {
      name: 'takes 500 ms and more for each answer',
      mostSlow: oncePerProcess,
      fail: (world) => {
        world.conditions.maxDelayMs = 1_000;
      },
      repair: (world) => {
        world.conditions.maxDelayMs = 4;
      },
    },
    {
      name: 'loses a tenth of the messages',
      mostSlow: lost,
      fail: (world) => {
        world.conditions.loss = 0.1;
      },
      repair: (world) => {
        world.conditions.loss = 0;
      },
    },
    {
      name: 'restarts without its data',
      mostSlow: oncePerProcess,
      fail: async (world) => {
        world.isCut = true;
        await world.loseData();
      },
      repair: (world) => {
        world.isCut = false;
      },
    },
  ];
  for (const { name, fail, repair, mostSlow } of FAULTS)
    test(`a store that ${name} adds at most two time limits to a request, and to few of them`, async () => {
      const world = await simulate({ hasKeys: true, arrivals: 100 }, 100_000);
      await world.run(10_000);
      assert.ok(Math.max(...world.waitsMs) < STATED_ADDITION_MS);
      world.waitsMs = [];
      await fail(world);
      await world.run(20_000);
      await repair(world);
      await world.run(5_000);
      assert.equal(world.connected, PROCESSES);
      const most = Math.max(...world.waitsMs);
      assert.ok(most <= STATED_ADDITION_MS, `${most} ms`);
      assert.ok(most >= TIMEOUT_MS, `${most} ms: no request was running when the store failed`);
      const slow = world.waitsMs.filter((ms) => ms >= TIMEOUT_MS).length;
      assert.ok(slow <= mostSlow(world.waitsMs.length), `${slow} of ${world.waitsMs.length} waited`);
      world.waitsMs = [];
      await world.run(5_000);
      assert.ok(Math.max(...world.waitsMs) < TIMEOUT_MS, 'as before');
    });

  test('processes that are killed give their places back when their leases end', async () => {
    const world = await simulate({ arrivals: 200 }, 100_000);
    await world.run(10_000);
    assert.ok(world.inFlight > CONCURRENT / 2);
    world.crash(60);
    await world.run(LEASE_MS + 1_000);
    world.maxInFlight = 0;
    await world.run(5_000);
    assert.equal(world.maxInFlight, CONCURRENT);
  });

  test('the same seed gives the same run', async () => {
    const runs: string[] = [];
    for (let run = 0; run < 2; run++) {
      const world = await simulate({ loss: 0.05, maxDelayMs: 30 });
      await world.run(5_000);
      await world.stop();
      simulation = undefined;
      runs.push(JSON.stringify([world.admitted, world.rejected, world.localDecisions]));
    }
    assert.equal(runs[0], runs[1]);
  });
});
