import { setTimeout as sleep } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { Breaker, inTime, StoreUnavailable } from './breaker.ts';
import { NAMES, SCRIPTS, type ScriptCommands } from './scripts.ts';

/** A client of the store, with the scripts as commands. */
export type StoreClient = Redis & ScriptCommands;

/** Runs an operation of the store, with a time limit. */
export type Run = <T>(operation: (client: StoreClient) => Promise<T>) => Promise<T>;
type RecoveryStep = (run: Run) => Promise<void>;

interface StoreOptions {
  url: string;
  /** Longest time for one operation. */
  timeoutMs: number;
  /** Longest time until the first reply; 10 s by default. */
  startTimeoutMs?: number;
  /** Called after each operation. */
  onOperation?: (durationMs: number, isOk: boolean) => void;
  /** Called when the store is lost, with the reason, and when it is back. */
  onLost?: (error: unknown) => void;
  onRecovered?: () => void;
}

/** The service may start before the store. */
const START_TIMEOUT_MS = 10_000;
const START_POLL_MS = 5;
/** With the time for connecting, well below the five seconds within which the service recovers. */
const PROBE_INTERVAL_MS = 200;
const RECONNECT_DELAY_MS = 200;
/** Longest wait for a reply to a probe, which a slow store delays. */
const PROBE_TIMEOUT_MS = 1_000;
/** A connection without a reply for this time is replaced: the machine at its other end may be gone. */
const MAX_SILENCE_MS = 2_000;
const CONNECT_TIMEOUT_MS = 1_000;
/** For one operation of the recovery, when all processes have much to tell the store. */
const RECOVERY_TIMEOUT_MS = 1_000;
const PROBE_EXPIRY_MS = 1_000;
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
  #silentSinceMs = 0;
  #isClosed = false;
  #lastError = new Error('no connection');

  private constructor(options: StoreOptions) {
    this.#options = options;
    this.#client = createClient(options.url);
    this.#subscriber = createClient(options.url, { enableOfflineQueue: true, maxRetriesPerRequest: null });
    this.#breaker = new Breaker({
      timeoutMs: options.timeoutMs,
      probeIntervalMs: PROBE_INTERVAL_MS,
      recover: () => this.#recover(),
      onOpen: (error) => {
        this.#silentSinceMs = performance.now();
        options.onLost?.(error);
      },
      onClose: () => options.onRecovered?.(),
    });
    // Without a listener, an error of the connection would end the process. Operations report it.
    this.#subscriber.on('error', () => {});
    this.#client.on('error', (error) => {
      this.#lastError = error;
    });
    this.#client.on('ready', () => {
      this.#lastError = new Error('the connection was closed');
    });
    // Even if no request notices: the data may be lost when the store is back.
    this.#client.on('close', () => this.#breaker.open(this.#lastError));
  }

  /** Connects to a store. Rejects if it does not answer. */
  static async connect(options: StoreOptions): Promise<Store> {
    const store = new Store(options);
    try {
      await store.#start();
      return store;
    } catch (error) {
      await store.close();
      throw new Error(`the store is out of reach: ${(error as Error).message}`, { cause: error });
    }
  }

  get isAvailable(): boolean {
    return !this.#breaker.isOpen;
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

  /** Waits for the first reply. Wrong credentials fail at once, as they do not become right. */
  async #start(): Promise<void> {
    const { startTimeoutMs = START_TIMEOUT_MS } = this.#options;
    const denied = new Promise<never>((_, reject) => {
      this.#client.on('error', (error) => {
        if (ACCESS_ERROR.test(error.message)) reject(error);
      });
    });
    await Promise.race([denied, this.#firstReply(performance.now() + startTimeoutMs)]);
  }

  async #firstReply(endMs: number): Promise<void> {
    while (!this.isAvailable || this.#client.status !== 'ready') {
      if (this.#isClosed || performance.now() > endMs) throw this.#lastError;
      await sleep(START_POLL_MS);
    }
    await inTime(this.#probe(), endMs - performance.now());
  }

  async #recover(): Promise<void> {
    this.#replaceSilentConnection();
    const startMs = performance.now();
    await inTime(this.#probe(), PROBE_TIMEOUT_MS).catch((error: Error) => {
      if (REPLICA_ERROR.test(error.message)) this.#client.disconnect(true);
      throw error;
    });
    this.#silentSinceMs = performance.now();
    if (performance.now() - startMs > this.#options.timeoutMs) throw new Error('the store is slow');
    for (const step of this.#recoverySteps)
      await step((operation) => inTime(operation(this.#client), RECOVERY_TIMEOUT_MS));
  }

  /** A write: a store that is full, or has become a replica, still reads. */
  async #probe(): Promise<void> {
    await this.#client.set(NAMES.probe, '1', 'PX', PROBE_EXPIRY_MS);
  }

  #replaceSilentConnection(): void {
    if (performance.now() - this.#silentSinceMs < MAX_SILENCE_MS) return;
    this.#silentSinceMs = performance.now();
    this.#client.disconnect(true);
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
