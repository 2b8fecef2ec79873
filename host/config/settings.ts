import { availableParallelism } from 'node:os';
import { choice, optional, origins, type Row, text, whole } from './setting-types.ts';

const MIB = 1024 * 1024;
const LOG_LEVELS = ['info', 'warn', 'error'] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

const name = (rest: string) => `TRACESMITH_${rest}`;

/** Every setting there is. Nothing else in the program reads the environment. */
export const SETTINGS = {
  port: whole('PORT', 8080, [0, 65_535], 'Port of the service; 0 takes a free one.'),
  host: text(name('HOST'), '', 'Address to listen on; all of them when empty.'),
  keysFile: text(name('KEYS_FILE'), '', 'JSON file of hashed keys; a development key is made when empty.'),
  corsOrigins: origins(name('CORS_ORIGINS'), 'Origins whose pages may call the service; none when empty.'),
  workers: {
    ...whole(name('WORKERS'), availableParallelism(), [1, 256], 'Worker threads that trace.'),
    fallbackIs: 'CPUs available',
  },
  maxFileBytes: whole(name('MAX_FILE_BYTES'), 20 * MIB, [1, 1024 * MIB], 'Largest image file.'),
  maxConfigBytes: whole(name('MAX_CONFIG_BYTES'), 16 * 1024, [2, MIB], 'Longest config part.'),
  maxPixels: whole(name('MAX_PIXELS'), 40_000_000, [1, 1_000_000_000], 'Most pixels of an image.'),
  maxSidePx: whole(name('MAX_SIDE_PX'), 16_384, [1, 65_535], 'Longest side of an image.'),
  memoryBytes: whole(
    name('MEMORY_BYTES'),
    2048 * MIB,
    [64 * MIB, 1024 ** 4],
    'Memory that images being traced may need together.',
  ),
  transferBytes: whole(
    name('TRANSFER_BYTES'),
    512 * MIB,
    [MIB, 1024 ** 4],
    'Memory that uploads, and answers on their way, may hold together.',
  ),
  headersTimeoutMs: whole(
    name('HEADERS_TIMEOUT_MS'),
    10_000,
    [100, 600_000],
    'Time for a request’s headers.',
  ),
  bodyTimeoutMs: whole(name('BODY_TIMEOUT_MS'), 30_000, [100, 600_000], 'Time for a request’s body.'),
  processingTimeoutMs: whole(
    name('PROCESSING_TIMEOUT_MS'),
    30_000,
    [100, 600_000],
    'Time to decode and trace.',
  ),
  maxWaitMs: whole(
    name('MAX_WAIT_MS'),
    10_000,
    [1, 600_000],
    'Longest wait for a worker, predicted or real.',
  ),
  freeConcurrency: whole(name('FREE_CONCURRENCY'), 2, [1, 10_000], 'Requests at once of a Free account.'),
  proConcurrency: whole(name('PRO_CONCURRENCY'), 8, [1, 10_000], 'Requests at once of a Pro account.'),
  maxConnections: whole(name('MAX_CONNECTIONS'), 4_000, [1, 1_000_000], 'Open connections.'),
  drainTimeoutMs: whole(
    name('DRAIN_TIMEOUT_MS'),
    70_000,
    [0, 600_000],
    'Time for accepted requests to finish, once no more are taken.',
  ),
  drainDelayMs: whole(
    name('DRAIN_DELAY_MS'),
    0,
    [0, 600_000],
    'Time after SIGTERM in which new requests are still served while /readyz is 503.',
  ),
  adminPort: optional(
    whole(name('ADMIN_PORT'), 0, [0, 65_535], 'Port of /metrics; none when empty, 0 takes a free one.'),
  ),
  adminHost: text(name('ADMIN_HOST'), '127.0.0.1', 'Address that /metrics listens on.'),
  logLevel: choice<LogLevel>(name('LOG_LEVEL'), 'info', LOG_LEVELS, 'Least level of lines in the log.'),
};

type Value<R> = R extends Row<infer T> ? T : never;
export type Settings = { [K in keyof typeof SETTINGS]: Value<(typeof SETTINGS)[K]> };

type Environment = Record<string, string | undefined>;

/** A variable whose value cannot be used; the message is for the person who starts the program. */
export class SettingError extends Error {}

/** Default → environment → check. An empty variable counts as absent. */
export function readSettings(environment: Environment = process.env): Settings {
  return readSome(Object.keys(SETTINGS) as (keyof Settings)[], environment);
}

/** Only these settings: what a command has no use for may be wrong. */
export function readSome<K extends keyof Settings>(
  keys: readonly K[],
  environment: Environment = process.env,
): Pick<Settings, K> {
  return Object.fromEntries(keys.map((key) => [key, readRow(SETTINGS[key], environment)])) as Pick<
    Settings,
    K
  >;
}

function readRow(row: Row<unknown>, environment: Environment): unknown {
  const given = environment[row.variable];
  if (given === undefined || given === '') return row.fallback;
  const value = row.parse(given);
  if (value !== undefined) return value;
  throw new SettingError(`${row.variable} must be ${row.expected}, not ${JSON.stringify(given)}`);
}

/** Variables that look like settings and are none: a misspelled one must not go unseen. */
export function unknownSettings(environment: Environment = process.env): string[] {
  const known = new Set<string>(Object.values(SETTINGS).map((row) => row.variable));
  return Object.keys(environment).filter((key) => key.startsWith(name('')) && !known.has(key));
}
