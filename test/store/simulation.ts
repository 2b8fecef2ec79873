// Many processes of the service and one store, with a simulated clock and network. The processes run the service's own limiter and
// breaker, the store is a real server with the service's own scripts. The same seed gives the same run.
import assert from 'node:assert/strict';
import { syncBuiltinESMExports } from 'node:module';
import { type Clock, install } from '@sinonjs/fake-timers';
import { Redis } from 'ioredis';
import { generateKey, hashKey } from '../../host/auth/api-key.ts';
import type { Account } from '../../host/auth/authenticate.ts';
import { Problem, problem } from '../../host/errors/problem.ts';
import type { Admission } from '../../host/limits/admission.ts';
import { Breaker, StoreUnavailable } from '../../host/store/breaker.ts';
import { NAMES, SCRIPTS } from '../../host/store/scripts.ts';
import { SharedKeys } from '../../host/store/shared-keys.ts';
import { SharedLimiter } from '../../host/store/shared-limiter.ts';
import type { Run, Store, StoreClient } from '../../host/store/store.ts';
import { StoredKeys } from '../../host/store/stored-keys.ts';
import { comesInTime, inTime } from '../../host/store/time-limit.ts';
import { randomNumbers } from '../../scripts/bench/core/statistics.ts';

/** As in production. */
export const TIMEOUT_MS = 50;
const PROBE_INTERVAL_MS = 200;
const RECOVERY_TIMEOUT_MS = 1_000;
/** A machine's clock may be wrong by an hour, and gain or lose this share. */
const MAX_OFFSET_MS = 3_600_000;
const MAX_DRIFT = 500e-6;
const MEAN_REQUEST_MS = 400;
/** The key of all requests. */
const KEY = generateKey();
const KEY_ROW = { hash: hashKey(KEY).toString('hex'), account: 'busy', tier: 'pro' };
/** The share of requests that are taken out of the rate, as the service does when it is overloaded. */
const REFUNDED = 0.05;

export interface Conditions {
  seed: number;
  processes: number;
  account: Account;
  /** Requests per second over all processes. */
  arrivals: number;
  /** The share of messages that are lost, each way. */
  loss: number;
  /** The delay of a message, each way. */
  maxDelayMs: number;
  /** Whether requests look up a key in the store first. */
  hasKeys: boolean;
}

/** A request that was admitted. */
interface Admitted {
  atMs: number;
  isRefunded: boolean;
}

/** Only the parts of the store that limits and keys use. */
type StorePart = Pick<Store, 'run' | 'addRecoveryStep' | 'reportDataLoss' | 'subscribe' | 'isAvailable'>;
type LimiterOptions = Parameters<typeof SharedLimiter.create>[1];

export class Simulation {
  readonly admitted: Admitted[] = [];
  readonly rejected: Record<string, number> = {};
  /** Decisions that processes made without the store. */
  localDecisions = 0;
  maxInFlight = 0;
  /** How long each request waited for the store. */
  waitsMs: number[] = [];
  /** While true, no message arrives. */
  isCut = false;
  /** How far the store's clock is off. */
  storeOffsetMs = 0;
  readonly conditions: Conditions;
  readonly #clock: Clock;
  readonly #random: () => number;
  readonly #server: SimulatedServer;
  readonly #processes: SimulatedProcess[] = [];
  #inFlight = 0;
  #isArriving = true;

  private constructor(conditions: Conditions, clock: Clock, server: SimulatedServer) {
    this.conditions = conditions;
    this.#clock = clock;
    this.#server = server;
    this.#random = randomNumbers(conditions.seed);
  }

  /** `url` is a server of the store, whose data is deleted. */
  static async start(url: string, conditions: Conditions): Promise<Simulation> {
    const server = await SimulatedServer.connect(url);
    const toFake = ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] as const;
    const clock = install({ toFake: [...toFake], now: 0 });
    // For modules that import from node:timers/promises.
    syncBuiltinESMExports();
    const simulation = new Simulation(conditions, clock, server);
    const starts = Array.from({ length: conditions.processes }, () => simulation.#startProcess());
    await simulation.#until(Promise.all(starts));
    simulation.#arrive();
    return simulation;
  }

  async stop(): Promise<void> {
    this.#isArriving = false;
    this.#clock.uninstall();
    syncBuiltinESMExports();
    this.#server.disconnect();
  }

  get nowMs(): number {
    return this.#clock.now;
  }

  get inFlight(): number {
    return this.#inFlight;
  }

  /** How many processes use the store. */
  get connected(): number {
    return this.#processes.filter(({ isCrashed, store }) => !isCrashed && store.isAvailable).length;
  }

  /** Lets this much time pass. */
  async run(ms: number): Promise<void> {
    let isOver = false;
    this.#clock.setTimeout(() => {
      isOver = true;
    }, ms);
    while (!isOver) {
      this.#clock.next();
      await this.#settle();
    }
  }

  /** Ends processes as `kill -9` does: with everything that they know. */
  crash(count: number): void {
    for (const process of this.#processes.filter(({ isCrashed }) => !isCrashed).slice(0, count)) {
      process.isCrashed = true;
      this.#inFlight -= process.inFlight;
    }
  }

  /** Deletes all data of the store but the keys, as a restart without persistence does. */
  async loseData(): Promise<void> {
    await this.#server.loseData();
  }

  /** The most admitted requests that count in any span of this length. */
  mostWithin(ms: number): number {
    const times = this.admitted.filter(({ isRefunded }) => !isRefunded).map(({ atMs }) => atMs);
    let most = 0;
    for (let last = 0, first = 0; last < times.length; last++) {
      while ((times[last] ?? 0) - (times[first] ?? 0) > ms) first++;
      most = Math.max(most, last - first + 1);
    }
    return most;
  }

  async #startProcess(): Promise<void> {
    const random = this.#random;
    const offsetMs = MAX_OFFSET_MS * (1 + random());
    const pace = 1 + MAX_DRIFT * (2 * random() - 1);
    const process = new SimulatedProcess((name, args) => this.#call(process, name, args));
    this.#processes.push(process);
    await process.start({
      processes: this.conditions.processes,
      now: () => this.nowMs * pace + offsetMs,
      onLocalDecision: () => this.localDecisions++,
    });
  }

  /** Sends a command to the store and its result back. A message that is lost never arrives. */
  async #call(process: SimulatedProcess, name: string, args: (string | number)[]): Promise<unknown> {
    await this.#travel(process);
    const result = await this.#server.call(name, args, this.nowMs + this.storeOffsetMs);
    await this.#travel(process);
    return result;
  }

  async #travel(process: SimulatedProcess): Promise<void> {
    const { loss, maxDelayMs } = this.conditions;
    const isLost = this.#random() < loss;
    await this.#sleep(this.#random() * maxDelayMs);
    if (isLost || this.isCut || process.isCrashed) await new Promise(() => {});
  }

  /** Requests arrive at random times and processes. */
  #arrive(): void {
    if (!this.#isArriving) return;
    const running = this.#processes.filter(({ isCrashed }) => !isCrashed);
    const process = running[Math.floor(this.#random() * running.length)];
    if (process !== undefined) void this.#request(process);
    const meanMs = 1_000 / this.conditions.arrivals;
    this.#clock.setTimeout(() => this.#arrive(), -meanMs * Math.log(1 - this.#random()));
  }

  async #request(process: SimulatedProcess): Promise<void> {
    try {
      const startMs = this.nowMs;
      const admission = await this.#admit(process).finally(() => this.waitsMs.push(this.nowMs - startMs));
      if (process.isCrashed) return;
      const entry = { atMs: this.nowMs, isRefunded: false };
      this.admitted.push(entry);
      process.inFlight++;
      this.maxInFlight = Math.max(this.maxInFlight, ++this.#inFlight);
      await this.#sleep(-MEAN_REQUEST_MS * Math.log(1 - this.#random()));
      if (process.isCrashed) return;
      process.inFlight--;
      this.#inFlight--;
      entry.isRefunded = this.#random() < REFUNDED;
      if (entry.isRefunded) admission.refund();
      admission.release();
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      this.rejected[error.code] = (this.rejected[error.code] ?? 0) + 1;
    }
  }

  async #admit(process: SimulatedProcess): Promise<Admission> {
    if (this.conditions.hasKeys && typeof (await process.findKey()) === 'string')
      throw problem('auth_unavailable');
    return process.admit(this.conditions.account);
  }

  #sleep(ms: number): Promise<void> {
    return new Promise((resolve) => this.#clock.setTimeout(() => resolve(), ms));
  }

  async #until(promise: Promise<unknown>): Promise<void> {
    let isDone = false;
    void promise.then(() => {
      isDone = true;
    });
    await this.#settle();
    while (!isDone) {
      this.#clock.next();
      await this.#settle();
    }
  }

  /** Waits until everything has happened that happens at this time. */
  async #settle(): Promise<void> {
    do await turn();
    while (this.#server.pending > 0);
    await turn();
  }
}

/** One turn of Node.js's event loop, in real time. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

type Call = (name: string, args: (string | number)[]) => Promise<unknown>;

/** The limiter and the breaker of one process. */
class SimulatedProcess {
  isCrashed = false;
  inFlight = 0;
  readonly store: StorePart;
  #limiter: SharedLimiter | undefined;
  #keys: SharedKeys | undefined;

  constructor(call: Call) {
    const command =
      (name: string) =>
      (...args: (string | number)[]) =>
        call(name, args);
    const names = ['admit', 'report', 'renew', 'forget', 'set', 'hget', 'exists'] as const;
    const client = Object.fromEntries(names.map((name) => [name, command(name)])) as unknown as StoreClient;
    const steps: ((run: Run) => Promise<void>)[] = [];
    const run: Run = (operation) => breaker.run(() => operation(client));
    const breaker = new Breaker({
      timeoutMs: TIMEOUT_MS,
      probeIntervalMs: PROBE_INTERVAL_MS,
      recover: async () => {
        while (!(await comesInTime(client.set(NAMES.probe, '1'), TIMEOUT_MS, RECOVERY_TIMEOUT_MS)));
        for (const step of steps) await step((operation) => inTime(operation(client), RECOVERY_TIMEOUT_MS));
      },
      onOpen: () => {},
      onClose: () => {},
    });
    this.store = {
      run,
      addRecoveryStep: async (step) => {
        steps.push(step);
        await step(run).catch((error: unknown) => {
          if (!(error instanceof StoreUnavailable)) throw error;
        });
      },
      reportDataLoss: () => breaker.open(new Error('data lost')),
      // No key changes.
      subscribe: async () => {},
      get isAvailable() {
        return !breaker.isOpen;
      },
    };
  }

  async start(options: LimiterOptions): Promise<void> {
    this.#limiter = await SharedLimiter.create(this.store as Store, options);
    this.#keys = new SharedKeys(new StoredKeys(this.store as Store), undefined, options.now);
  }

  async findKey() {
    return (this.#keys ?? assert.fail('not started')).find(KEY);
  }

  async admit(account: Account) {
    return (this.#limiter ?? assert.fail('not started')).admit(account);
  }
}

type Script = Parameters<Redis['defineCommand']>[1];

const CLOCK_KEY = 'simulation:now';

/** A real server, whose scripts read a clock that is given with each call. */
class SimulatedServer {
  /** Calls without a reply. */
  pending = 0;
  readonly #client: Redis;

  private constructor(client: Redis) {
    this.#client = client;
  }

  static async connect(url: string): Promise<SimulatedServer> {
    const client = new Redis(url);
    for (const [name, script] of Object.entries(SCRIPTS as Record<string, Script>)) {
      const lua = script.lua.replace("redis.call('TIME')", `{0, redis.call('GET', '${CLOCK_KEY}')}`);
      assert.ok(!lua.includes('TIME'));
      client.defineCommand(`simulated-${name}`, { ...script, lua });
    }
    const server = new SimulatedServer(client);
    await server.loseData();
    return server;
  }

  async call(name: string, args: (string | number)[], nowMs: number): Promise<unknown> {
    this.pending++;
    try {
      const set = this.#client.set(CLOCK_KEY, Math.round(nowMs * 1_000));
      const commands = this.#client as unknown as Record<string, (...args: unknown[]) => Promise<unknown>>;
      const result = await commands[name in SCRIPTS ? `simulated-${name}` : name]?.(...args);
      await set;
      return result;
    } finally {
      this.pending--;
    }
  }

  /** The keys are restored from a backup. */
  async loseData(): Promise<void> {
    await this.#client.flushall();
    await this.#client.set(NAMES.keysExist, '1');
    await this.#client.hset(NAMES.keys, KEY_ROW.hash, JSON.stringify(KEY_ROW));
  }

  disconnect(): void {
    this.#client.disconnect();
  }
}
