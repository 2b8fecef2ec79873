import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Account } from '../../host/auth/authenticate.ts';
import type { Admission } from '../../host/limits/admission.ts';
import { StoreUnavailable } from '../../host/store/breaker.ts';
import { ADMITTED, type AdmitReply, CONCURRENCY_LIMITED, RATE_LIMITED } from '../../host/store/scripts.ts';
import { SharedLimiter } from '../../host/store/shared-limiter.ts';
import type { Run, Store, StoreClient } from '../../host/store/store.ts';

const WINDOW_MS = 60_000;
const LIMIT = 10;
/** Of each of three processes. */
const SHARE = 3;
const account: Account = {
  id: 'a',
  tier: 'free',
  requestsPerMinute: LIMIT,
  maxConcurrent: Number.POSITIVE_INFINITY,
};

/** A store whose answers and failures the test decides, and a limiter with a clock that the test advances. */
class World {
  nowMs = 1_000_000;
  isAvailable = true;
  /** What the store was told, in this order. */
  readonly commands: string[] = [];
  #limiter: SharedLimiter | undefined;
  readonly #replies: ((reply: AdmitReply) => void)[] = [];
  /** Gives up the admissions that wait. */
  readonly #timeouts: (() => void)[] = [];
  readonly #steps: ((run: Run) => Promise<void>)[] = [];

  static async create(): Promise<World> {
    const world = new World();
    world.#limiter = await SharedLimiter.create(world.#store(), { processes: 3, now: () => world.nowMs });
    world.commands.length = 0;
    return world;
  }

  async grant(): Promise<Admission | undefined> {
    return this.#limiter?.admit(account);
  }

  /** The code of the answer to a request. */
  async admit(): Promise<string> {
    try {
      await this.grant();
      return 'admitted';
    } catch (error) {
      return String((error as { code?: string }).code);
    }
  }

  /** Answers the oldest request that the store has not answered yet. */
  async answer(reply: AdmitReply): Promise<void> {
    this.#replies.shift()?.(reply);
    await turn();
  }

  /** Lets all requests that wait go on without the store. */
  async timeOut(): Promise<void> {
    for (const giveUp of this.#timeouts.splice(0)) giveUp();
    await turn();
  }

  async recover(): Promise<void> {
    for (const step of this.#steps) await step((operation) => operation(this.#client()));
    this.isAvailable = true;
  }

  close(): void {
    this.#limiter?.close();
  }

  #store(): Store {
    const world = this;
    return {
      run: <T>(operation: (client: StoreClient) => Promise<T>) => world.#run(operation),
      async addRecoveryStep(step: (run: Run) => Promise<void>) {
        world.#steps.push(step);
        await step((operation) => operation(world.#client()));
      },
      reportDataLoss: () => {},
      get isAvailable() {
        return world.isAvailable;
      },
    } as unknown as Store;
  }

  #run<T>(operation: (client: StoreClient) => Promise<T>): Promise<T> {
    if (!this.isAvailable) return Promise.reject(new StoreUnavailable());
    return new Promise((resolve, reject) => {
      this.#timeouts.push(() => reject(new StoreUnavailable(new Error('no reply'))));
      operation(this.#client()).then(resolve, reject);
    });
  }

  #client(): StoreClient {
    return {
      admit: () => {
        this.commands.push('admit');
        return new Promise<AdmitReply>((resolve) => this.#replies.push(resolve));
      },
      report: async (keys: number) => {
        this.commands.push(`report ${keys - 1}`);
        return 'epoch';
      },
      renew: async () => 0,
      forget: async () => 0,
    } as unknown as StoreClient;
  }
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

/** A full account, whose oldest request is 20 seconds old. */
const FULL: AdmitReply = [RATE_LIMITED, LIMIT, 20_000_000];
const LEFT_MS = WINDOW_MS - 20_000;

describe('without the store', () => {
  async function world(t: { after: (action: () => void) => void }): Promise<World> {
    const created = await World.create();
    t.after(() => created.close());
    return created;
  }

  /** How many of these requests are admitted. */
  async function admitted(on: World, count: number): Promise<number> {
    const codes: string[] = [];
    for (let request = 0; request < count; request++) codes.push(await on.admit());
    assert.ok(codes.every((code) => code === 'admitted' || code === 'rate_limited'));
    return codes.filter((code) => code === 'admitted').length;
  }

  test('an account that is not known gets the share', async (t) => {
    const on = await world(t);
    on.isAvailable = false;
    assert.equal(await admitted(on, 20), SHARE);
  });

  test('an account that had used up its rate gets nothing before one of its requests leaves the window', async (t) => {
    const on = await world(t);
    const request = on.admit();
    await on.answer(FULL);
    assert.equal(await request, 'rate_limited');
    on.isAvailable = false;
    on.nowMs += LEFT_MS - 1_000;
    assert.equal(await admitted(on, 20), 0);
    on.nowMs += 1_001;
    assert.equal(await admitted(on, 20), SHARE);
  });

  test('an account gets what was left, if that is less than the share', async (t) => {
    const on = await world(t);
    const request = on.admit();
    await on.answer([ADMITTED, LIMIT - 1, 20_000_000]);
    assert.equal(await request, 'admitted');
    on.isAvailable = false;
    assert.equal(await admitted(on, 20), 1);
  });

  test('an answer that comes too late for its request counts for the next ones', async (t) => {
    const on = await world(t);
    const late = on.admit();
    await on.timeOut();
    assert.equal(await late, 'admitted', 'it has not waited');
    on.isAvailable = false;
    await on.answer(FULL);
    assert.equal(await admitted(on, 20), 0);
  });

  test('that too many requests were running says nothing about the rate', async (t) => {
    const on = await world(t);
    const request = on.admit();
    await on.answer([CONCURRENCY_LIMITED, 0, 0]);
    assert.equal(await request, 'concurrency_limited');
    on.isAvailable = false;
    assert.equal(await admitted(on, 20), SHARE);
  });

  test('what was granted is reported once, when the store is back', async (t) => {
    const on = await world(t);
    on.isAvailable = false;
    assert.equal(await admitted(on, 2), 2);
    await on.recover();
    assert.deepEqual(on.commands, ['report 2']);
    void on.admit();
    assert.deepEqual(on.commands, ['report 2', 'admit']);
  });

  test('what is given back is not reported', async (t) => {
    const on = await world(t);
    on.isAvailable = false;
    const [first] = [await on.grant(), await on.grant()];
    first?.refund();
    await on.recover();
    assert.deepEqual(on.commands, ['report 1']);
  });

  test('what is granted after the store has been found again is reported before anything else', async (t) => {
    const on = await world(t);
    // It began before an outage that is over when its time limit ends.
    const late = on.admit();
    await on.timeOut();
    assert.equal(await late, 'admitted');
    void on.admit();
    assert.deepEqual(on.commands, ['admit', 'report 1', 'admit']);
  });
});
