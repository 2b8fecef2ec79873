import { availableCpus } from './available-cpus.ts';
import { DEFAULT_IMAGE_LIMITS } from './image-limits.ts';
import {
  choice,
  type ForwardedHeader,
  flag,
  integer,
  optional,
  origins,
  proxies,
  type Setting,
  storeUrl,
  text,
} from './setting-types.ts';

const MIB = 1024 * 1024;
const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const name = (rest: string) => `TRACESMITH_${rest}`;

/** All settings. No other module reads the environment. */
export const SETTINGS = {
  port: integer('PORT', 8080, [0, 65_535], 'Port of the service; 0 picks a free one.'),
  host: text(
    name('HOST'),
    '',
    'Address to listen on; if empty, all addresses, or 127.0.0.1 if there is neither a key file nor a store.',
  ),
  keysFile: text(
    name('KEYS_FILE'),
    '',
    'Path of the JSON file with hashed API keys; if empty and there is no store, the service creates a development key at start.',
  ),
  store: storeUrl(
    name('STORE'),
    'Redis or Valkey server for keys, rates and concurrent requests of several processes; if empty, each process counts for itself.',
  ),
  storeProcesses: integer(
    name('STORE_PROCESSES'),
    1,
    [1, 10_000],
    'Number of processes that share the store; while it is out of reach, each grants this part of every limit.',
  ),
  storeTimeoutMs: integer(
    name('STORE_TIMEOUT_MS'),
    50,
    [1, 10_000],
    'Time limit for one reply of the store; then the process goes on without it.',
  ),
  development: flag(
    name('DEVELOPMENT'),
    'If true, the service also creates a development key when it listens on an address that other machines can reach.',
  ),
  corsOrigins: origins(
    name('CORS_ORIGINS'),
    'Web origins whose pages may call the service (CORS); none if empty.',
  ),
  workers: {
    ...integer(name('WORKERS'), availableCpus(), [1, 256], 'Number of worker threads that trace images.'),
    defaultText: 'CPUs available',
  },
  threadPoolSize: integer(
    'UV_THREADPOOL_SIZE',
    4,
    [1, 1024],
    'Threads of Node.js that decode images and read files; should be `TRACESMITH_WORKERS` plus 2 or more.',
  ),
  maxFileBytes: integer(name('MAX_FILE_BYTES'), 20 * MIB, [1, 1024 * MIB], 'Largest image file, in bytes.'),
  maxConfigBytes: integer(name('MAX_CONFIG_BYTES'), 16 * 1024, [2, MIB], 'Largest `config` part, in bytes.'),
  maxPixels: integer(
    name('MAX_PIXELS'),
    DEFAULT_IMAGE_LIMITS.maxPixels,
    [1, 1_000_000_000],
    'Maximum number of pixels of an image.',
  ),
  maxSidePx: integer(
    name('MAX_SIDE_PX'),
    DEFAULT_IMAGE_LIMITS.maxSidePx,
    [1, 65_535],
    'Maximum width and height of an image, in pixels.',
  ),
  memoryBytes: integer(
    name('MEMORY_BYTES'),
    2048 * MIB,
    [64 * MIB, 1024 ** 4],
    'Memory limit for tracing images, including what idle threads keep, in bytes.',
  ),
  transferBytes: integer(
    name('TRANSFER_BYTES'),
    512 * MIB,
    [MIB, 1024 ** 4],
    'Memory limit for all uploads and unsent responses, in bytes.',
  ),
  headersTimeoutMs: integer(
    name('HEADERS_TIMEOUT_MS'),
    10_000,
    [100, 600_000],
    'Time limit for receiving the headers of a request.',
  ),
  bodyTimeoutMs: integer(
    name('BODY_TIMEOUT_MS'),
    30_000,
    [100, 600_000],
    'Time limit for receiving the body of a request.',
  ),
  sendTimeoutMs: integer(
    name('SEND_TIMEOUT_MS'),
    30_000,
    [100, 600_000],
    'Time limit for sending a response; the connection of a client that reads more slowly is closed.',
  ),
  processingTimeoutMs: integer(
    name('PROCESSING_TIMEOUT_MS'),
    30_000,
    [100, 600_000],
    'Time limit for decoding and tracing an image.',
  ),
  maxTraceCpuMs: integer(
    name('MAX_TRACE_CPU_MS'),
    20_000,
    [100, 600_000],
    'Limit of the CPU time for tracing one image, whatever the load.',
  ),
  maxWaitMs: integer(
    name('MAX_WAIT_MS'),
    10_000,
    [1, 600_000],
    'Longest time in the queue; a request with a longer predicted wait is rejected at once.',
  ),
  freeConcurrency: integer(
    name('FREE_CONCURRENCY'),
    2,
    [1, 10_000],
    'Maximum concurrent requests of a Free account.',
  ),
  proConcurrency: integer(
    name('PRO_CONCURRENCY'),
    8,
    [1, 10_000],
    'Maximum concurrent requests of a Pro account.',
  ),
  keepAliveTimeoutMs: integer(
    name('KEEP_ALIVE_TIMEOUT_MS'),
    65_000,
    [1_000, 3_600_000],
    'How long an idle connection stays open; must be longer than the idle timeout of the load balancer.',
  ),
  maxConnections: integer(
    name('MAX_CONNECTIONS'),
    4_000,
    [1, 1_000_000],
    'Maximum number of open connections; at the limit, one that has its response or is idle is closed.',
  ),
  drainTimeoutMs: integer(
    name('DRAIN_TIMEOUT_MS'),
    70_000,
    [0, 600_000],
    'Time limit for finishing accepted requests during shutdown.',
  ),
  drainDelayMs: integer(
    name('DRAIN_DELAY_MS'),
    0,
    [0, 600_000],
    'Time after SIGTERM during which the service still accepts requests while /readyz returns 503.',
  ),
  adminPort: optional(
    integer(
      name('ADMIN_PORT'),
      0,
      [0, 65_535],
      'Port of /metrics, /livez and /readyz; if empty, off; 0 picks a free one.',
    ),
  ),
  adminHost: text(name('ADMIN_HOST'), '127.0.0.1', 'Address on which the admin port listens.'),
  trustedProxies: proxies(
    name('TRUSTED_PROXIES'),
    'Reverse proxies whose header names the client in logs and spans: how many each request passes, or their addresses; none if empty.',
  ),
  forwardedHeader: choice<ForwardedHeader>(
    name('FORWARDED_HEADER'),
    'x-forwarded-for',
    ['x-forwarded-for', 'forwarded'],
    'The header that trusted proxies add the client to.',
  ),
  logLevel: choice<LogLevel>(name('LOG_LEVEL'), 'info', LOG_LEVELS, 'Lowest level that is logged.'),
};

/** The native engine's own variable. The engine takes what fits into 32 bits on every machine, and ignores everything else. */
export const THREADS = {
  ...optional(
    integer(
      name('THREADS'),
      0,
      [1, 2 ** 32 - 1],
      'Number of threads of the native engine for all images together.',
    ),
  ),
  defaultText: 'CPUs available',
};

/** The API key for the command line's --remote. The service does not read it. */
export const API_KEY_VARIABLE = name('API_KEY');

export const readApiKeyVariable = (environment: Environment = process.env): string =>
  environment[API_KEY_VARIABLE]?.trim() ?? '';

type Value<S> = S extends Setting<infer T> ? T : never;
export type Settings = { [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]> };

type Environment = Record<string, string | undefined>;

/** An environment variable has an invalid value. The message names the variable, the allowed values and the value, unless it is secret. */
export class SettingError extends Error {}

/** Reads all settings. An empty variable counts as absent. Throws `SettingError`. */
export function readSettings(environment: Environment = process.env): Settings {
  return readSome(Object.keys(SETTINGS) as (keyof Settings)[], environment);
}

/** Reads only the named settings, so that a command does not fail on a variable it does not use. */
export function readSome<K extends keyof Settings>(
  keys: readonly K[],
  environment: Environment = process.env,
): Pick<Settings, K> {
  return Object.fromEntries(keys.map((key) => [key, readSetting(SETTINGS[key], environment)])) as Pick<
    Settings,
    K
  >;
}

/** Checks `THREADS`, which only the native engine reads. Throws `SettingError`. */
export function checkThreads(environment: Environment = process.env): void {
  readSetting(THREADS, environment);
}

function readSetting(setting: Setting<unknown>, environment: Environment): unknown {
  const given = environment[setting.variable];
  if (given === undefined || given === '') return setting.defaultValue;
  const value = setting.parse(given);
  if (value !== undefined) return value;
  const received = setting.isSecret ? '' : `, not ${JSON.stringify(given)}`;
  throw new SettingError(`${setting.variable} must be ${setting.expected}${received}`);
}

/** Names of variables that start with `TRACESMITH_` but are no setting: probably misspelled. */
export function unknownSettings(environment: Environment = process.env): string[] {
  const known = new Set<string>(Object.values(SETTINGS).map(({ variable }) => variable));
  known.add(API_KEY_VARIABLE);
  return Object.keys(environment).filter((key) => key.startsWith(name('')) && !known.has(key));
}
