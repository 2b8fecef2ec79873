import { once } from 'node:events';
import { Redis } from 'ioredis';
import { Breaker, StoreUnavailable } from './breaker.ts';
import { NAMES, SCRIPTS, type ScriptCommands } from './scripts.ts';
import { comesInTime, inTime } from './time-limit.ts';

/** A client of the store, with the scripts as commands. */
export type StoreClient = Redis & ScriptCommands;

/** Runs an operation of the store, with a time limit. */
export type Run = <T>(operation: (client: StoreClient) => Promise<T>) => Promise<T>;
type RecoveryStep = (run: Run) => Promise<void>;

interface StoreOptions {
  url: string;
  /** Longest time for one operation. */
  timeoutMs: number;
  /** Called after each operation. */
  onOperation?: (durationMs: number, isOk: boolean) => void;
  /** Called when the store answers for the first time. */
  onReached?: () => void;
  /** Called when the store is lost, with the reason, and when it is back. */
  onLost?: (error: unknown) => void;
  onRecovered?: () => void;
}

/** With the time for connecting, well below the five seconds within which the service recovers. */
const PROBE_INTERVAL_MS = 200;
const RECONNECT_DELAY_MS = 200;
/** Longest wait for a connection that is ready, and for a reply to a probe, which a slow store delays. */
const PROBE_TIMEOUT_MS = 1_000;
/** A connection without a reply for this time is replaced: the machine at its other end may be gone. */
const MAX_SILENCE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** For one operation of the recovery, when all processes have much to tell the store. */
const RECOVERY_TIMEOUT_MS = 1_000;
const PROBE_EXPIRY_MS = 1_000;
/** How long a command waits for the first reply. */
const START_TIMEOUT_MS = 10_000;
/** Wrong credentials, or a user without the permissions. */
const ACCESS_ERROR = /^(WRONGPASS|NOAUTH|NOPERM)/;
/** A former primary of a replicated store, or one that has lost its primary: another address may have the new one. */
const REPLICA_ERROR = /^(READONLY|MASTERDOWN)/;

/** A Redis or Valkey server that several processes share. */
export class Store {
  readonly #client: StoreClient;
  readonly #subscriber: Redis;
  readonly #breaker: Breaker;
  readonly #options: StoreOptions;
  readonly #recoverySteps: RecoveryStep[] = [];
  /** Since when no reply has come, and the connection has not been replaced for that. */
  #silentSinceMs = performance.now();
  #hasBeenReached = false;
  /** Calls of `untilReached` that wait. */
  readonly #waiting = new Set<() => void>();
  #isClosed = false;
  #lastError = new Error('no connection');

  /** Connects in the background: until the store answers, operations fail as they do while it is out of reach. */
  constructor(options: StoreOptions) {
    this.#options = options;
    this.#client = createClient(options.url);
    this.#subscriber = createClient(options.url, { enableOfflineQueue: true, maxRetriesPerRequest: null });
    this.#breaker = new Breaker({
      timeoutMs: options.timeoutMs,
      probeIntervalMs: PROBE_INTERVAL_MS,
      recover: () =>
        this.#recover().catch((error: Error) => {
          this.#noteError(error);
          throw error;
        }),
      onOpen: (error) => {
        this.#silentSinceMs = performance.now();
        if (this.#hasBeenReached) options.onLost?.(error);
      },
      onClose: () => this.#onAvailable(),
    });
    // Without a listener, an error of the connection would end the process. Operations report it.
    this.#subscriber.on('error', () => {});
    this.#client.on('error', (error) => this.#noteError(error));
    this.#client.on('ready', () => {
      this.#lastError = new Error('the connection was closed');
    });
    // Even if no request notices: the data may be lost when the store is back.
    this.#client.on('close', () => this.#breaker.open(this.#lastError));
    this.#breaker.open(this.#lastError);
  }

  /** Connects to a store, and waits until it answers. */
  static async connect(options: StoreOptions, timeoutMs = START_TIMEOUT_MS): Promise<Store> {
    const store = new Store(options);
    try {
      if (await store.untilReached(timeoutMs)) return store;
      throw store.#unreachable();
    } catch (error) {
      await store.close();
      throw error;
    }
  }

  get isAvailable(): boolean {
    return !this.#breaker.isOpen;
  }

  /** Whether the store has ever answered. */
  get hasBeenReached(): boolean {
    return this.#hasBeenReached;
  }

  /** Why the store could not be used when it was tried last. */
  get lastError(): Error {
    return this.#lastError;
  }

  /**
   * Resolves to true when the store has answered, and to false if it does not within a time. Rejects at once if the
   * credentials are wrong, as they do not become right.
   */
  async untilReached(withinMs: number): Promise<boolean> {
    const endMs = performance.now() + withinMs;
    while (!this.#hasBeenReached) {
      if (ACCESS_ERROR.test(this.#lastError.message)) throw this.#unreachable();
      const leftMs = endMs - performance.now();
      if (leftMs <= 0) return false;
      await this.#nextEvent(leftMs);
    }
    return true;
  }

  /** Runs commands. Rejects with `StoreUnavailable` within the time limit, or at once while the store is out of reach. */
  async run<T>(operation: (client: StoreClient) => Promise<T>): Promise<T> {
    const startMs = performance.now();
    let isOk = false;
    try {
      const result = await this.#breaker.run(() => operation(this.#client));
      isOk = true;
      return result;
    } finally {
      this.#options.onOperation?.(performance.now() - startMs, isOk);
    }
  }

  /** Adds a step that must succeed before the store counts as available again, and runs it now. */
  async addRecoveryStep(step: RecoveryStep): Promise<void> {
    this.#recoverySteps.push(step);
    await step((operation) => this.run(operation)).catch((error: unknown) => {
      if (!(error instanceof StoreUnavailable)) throw error;
    });
  }

  /** The store has lost data, and its recovery steps must run again. */
  reportDataLoss(): void {
    this.#breaker.open(new Error('the store has lost its data'));
  }

  /**
   * Calls back with each message of a channel. Messages sent while the store is out of reach are lost. Rejects if the store
   * does not allow it.
   */
  async subscribe(channel: string, onMessage: (message: string) => void): Promise<void> {
    this.#subscriber.on('message', (from, message) => {
      if (from === channel) onMessage(message);
    });
    // After a reconnection, the client subscribes again by itself.
    await this.#subscriber.subscribe(channel).catch((error: unknown) => {
      if (!this.#isClosed) throw error;
    });
  }

  /** Closes the connections, after the commands that were sent before. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#breaker.stop();
    if (this.#client.status === 'ready')
      await inTime(this.#client.quit(), this.#options.timeoutMs).catch(() => {});
    this.#client.disconnect();
    this.#subscriber.disconnect();
  }

  #unreachable(): Error {
    return new Error(`the store is out of reach: ${this.#lastError.message}`, { cause: this.#lastError });
  }

  #onAvailable(): void {
    const isFirst = !this.#hasBeenReached;
    this.#hasBeenReached = true;
    this.#wake();
    if (isFirst) this.#options.onReached?.();
    else this.#options.onRecovered?.();
  }

  #noteError(error: Error): void {
    if (error.name === 'AbortError') return;
    this.#lastError = withMessage(error);
    this.#wake();
  }

  #nextEvent(withinMs: number): Promise<void> {
    return new Promise((resolve) => {
      const done = () => {
        clearTimeout(timer);
        this.#waiting.delete(done);
        resolve();
      };
      const timer = setTimeout(done, withinMs);
      this.#waiting.add(done);
    });
  }

  #wake(): void {
    for (const done of this.#waiting) done();
  }

  async #recover(): Promise<void> {
    this.#replaceSilentConnection();
    if (this.#client.status !== 'ready')
      await once(this.#client, 'ready', { signal: AbortSignal.timeout(PROBE_TIMEOUT_MS) });
    // One that answers, but slowly, sets the pace itself: it is asked again at once.
    while (!(await this.#answersInTime()));
    for (const step of this.#recoverySteps)
      await step((operation) => inTime(operation(this.#client), RECOVERY_TIMEOUT_MS));
  }

  /** Whether a probe is answered within the time limit of operations. Rejects if it fails, or is not answered at all. */
  async #answersInTime(): Promise<boolean> {
    const timeoutMs = Math.min(this.#options.timeoutMs, PROBE_TIMEOUT_MS);
    const isInTime = await comesInTime(this.#probe(), timeoutMs, PROBE_TIMEOUT_MS).catch((error: Error) => {
      if (REPLICA_ERROR.test(error.message)) this.#reconnect();
      throw error;
    });
    this.#silentSinceMs = performance.now();
    return isInTime;
  }

  /** A write: a store that is full, or has become a replica, still reads. */
  async #probe(): Promise<void> {
    await this.#client.set(NAMES.probe, '1', 'PX', PROBE_EXPIRY_MS);
  }

  #replaceSilentConnection(): void {
    if (performance.now() - this.#silentSinceMs < MAX_SILENCE_MS) return;
    this.#silentSinceMs = performance.now();
    this.#reconnect();
  }

  /** Both connections: the one for messages cannot tell a dead one from one without messages. */
  #reconnect(): void {
    this.#client.disconnect(true);
    this.#subscriber.disconnect(true);
  }
}

function createClient(url: string, options = {}): StoreClient {
  return new Redis(url, {
    scripts: SCRIPTS,
    // A command fails at once if there is no connection, and is never sent twice.
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    autoResendUnfulfilledCommands: false,
    connectTimeout: CONNECT_TIMEOUT_MS,
    retryStrategy: () => RECONNECT_DELAY_MS,
    connectionName: 'tracesmith',
    ...options,
  }) as StoreClient;
}

/** Where a name has several addresses, Node.js gives the errors of all of them, and no message. */
function withMessage(error: Error): Error {
  if (error.message !== '' || !(error instanceof AggregateError)) return error;
  return new Error(error.errors.map((one: Error) => one.message).join('; '), { cause: error });
}
