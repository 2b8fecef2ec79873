// The Lua scripts that run in the store. Each is atomic, and the store's clock is the only one that counts.
import type { RedisOptions } from 'ioredis';

/** Names of the keys in the store. */
export const NAMES = {
  /** A hash: the row of each API key as JSON, by the SHA-256 of the key. */
  keys: 'tracesmith:keys',
  /** A string that exists as soon as there have been API keys: without it, they are lost. */
  keysExist: 'tracesmith:keys:exist',
  /** A channel: the hashes of API keys that have changed. */
  keyChanges: 'tracesmith:keys:changed',
  /** A string that is lost when the data is lost. */
  epoch: 'tracesmith:epoch',
  /** Written to learn whether the store can be written to. */
  probe: 'tracesmith:probe',
  /** A sorted set: the counted requests of an account, by their times in microseconds. */
  rate: (account: string) => `tracesmith:rate:${account}`,
  /** A sorted set: the concurrent requests of an account, by the times at which their leases end in microseconds. */
  places: (account: string) => `tracesmith:places:${account}`,
};

/** What ADMIT answers. */
export const ADMITTED = 0;
export const CONCURRENCY_LIMITED = 1;
export const RATE_LIMITED = 2;
/** The store has lost its data since the process reported its requests. Nothing was counted. */
export const DATA_LOST = 3;

/** The current time in microseconds, as a number that Lua holds exactly. */
const NOW = `
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
`;

/**
 * Checks the limits of an account, and counts the request if it is within both. A request exactly one window old still
 * counts.
 *
 * KEYS: rate, places, epoch. ARGV: id of the request, epoch, requests per window (0: no limit), window in µs,
 * concurrent requests (0: no limit), lease in µs. Result: status, counted requests, age of the oldest in µs.
 *
 * A request that is rejected writes nothing. The first write is one that a full server refuses: after it, a script may go on.
 *
 * If the clock was set back by at most a window, it stands still for the account until it has caught up; entries that are
 * further in the future do not count.
 */
const ADMIT = `
if redis.call('GET', KEYS[3]) ~= ARGV[2] then return {${DATA_LOST}, 0, 0} end
local id, limit, window = ARGV[1], tonumber(ARGV[3]), tonumber(ARGV[4])
local places, lease = tonumber(ARGV[5]), tonumber(ARGV[6])
${NOW}
local at, horizon, count, age = now, now + window, 0, 0
if limit > 0 then
  local newest = redis.call('ZREVRANGEBYSCORE', KEYS[1], horizon, '-inf', 'WITHSCORES', 'LIMIT', 0, 1)[2]
  at = math.max(now, tonumber(newest or 0))
  count = redis.call('ZCOUNT', KEYS[1], at - window, horizon)
  local oldest = redis.call('ZRANGEBYSCORE', KEYS[1], at - window, horizon, 'WITHSCORES', 'LIMIT', 0, 1)[2]
  age = at - tonumber(oldest or at)
end
if places > 0 and redis.call('ZCOUNT', KEYS[2], now, '+inf') >= places then
  return {${CONCURRENCY_LIMITED}, count, age}
end
if limit > 0 then
  if count >= limit then return {${RATE_LIMITED}, count, age} end
  redis.call('ZADD', KEYS[1], at, id)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', '(' .. string.format('%.0f', at - window))
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '(' .. string.format('%.0f', horizon), '+inf')
  redis.call('PEXPIRE', KEYS[1], math.ceil(window / 1000) + 1000)
end
if places > 0 then
  redis.call('ZADD', KEYS[2], now + lease, id)
  redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', '(' .. string.format('%.0f', now))
  redis.call('PEXPIRE', KEYS[2], math.ceil(lease / 1000) + 1000)
end
return {${ADMITTED}, count + 1, age}
`;

/**
 * Counts requests that were admitted without the store, or that the store has lost; does nothing for those it knows.
 *
 * KEYS: epoch, then the rate of each request. ARGV: window in µs, then id and age in µs of each request. Result: epoch.
 */
const REPORT = `
${NOW}
local window = tonumber(ARGV[1])
for i = 2, #KEYS do
  local at = now - tonumber(ARGV[2 * i - 1])
  redis.call('ZADD', KEYS[i], 'NX', at, ARGV[2 * i - 2])
  redis.call('PEXPIRE', KEYS[i], math.ceil(window / 1000) + 1000)
end
redis.call('SET', KEYS[1], string.format('%.0f', now), 'NX')
return redis.call('GET', KEYS[1])
`;

/** Renews leases. KEYS: the places of each request. ARGV: lease in µs, then the id of each request. */
const RENEW = `
${NOW}
local lease = tonumber(ARGV[1])
for i = 1, #KEYS do
  redis.call('ZADD', KEYS[i], now + lease, ARGV[i + 1])
  redis.call('PEXPIRE', KEYS[i], math.ceil(lease / 1000) + 1000)
end
return #KEYS
`;

/** Removes requests. KEYS: the rate or the places of each. ARGV: their ids. */
const FORGET = `
for i = 1, #KEYS do redis.call('ZREM', KEYS[i], ARGV[i]) end
return #KEYS
`;

/** The scripts as commands of the client: EVALSHA, or EVAL where the server does not know a script. */
export const SCRIPTS: NonNullable<RedisOptions['scripts']> = {
  admit: { lua: ADMIT, numberOfKeys: 3 },
  report: { lua: REPORT },
  renew: { lua: RENEW },
  forget: { lua: FORGET },
};

/** The status, how many requests of the account count, and the age of the oldest of them. */
export type AdmitReply = [status: number, count: number, oldestAgeUs: number];

type Reply<T> = Promise<T>;
type Arguments = (string | number)[];

/** The commands that SCRIPTS adds to a client. Those without a fixed number of keys get that number first. */
export interface ScriptCommands {
  admit(...args: [rate: string, places: string, epoch: string, ...rest: Arguments]): Reply<AdmitReply>;
  report(keys: number, ...args: Arguments): Reply<string>;
  renew(keys: number, ...args: Arguments): Reply<number>;
  forget(keys: number, ...args: Arguments): Reply<number>;
}
