import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { problem } from '../errors/problem.ts';
import { isWellFormedKey, keyId } from './api-key.ts';
import type { KeyFinder, KeyRecord, Tier } from './key-store.ts';

/** The account of a request, with its limits. */
export interface Account {
  id: string;
  tier: Tier;
  /** Requests in any 60 seconds. */
  requestsPerMinute: number;
  maxConcurrent: number;
}

/** The account of a request, and which of its keys was used. */
export interface Caller extends Account {
  /** As `keys list` shows it. */
  keyId: string;
}

const REQUESTS_PER_MINUTE: Record<Tier, number> = {
  free: 10,
  pro: 100,
  enterprise: Number.POSITIVE_INFINITY,
};

/** The key file is read again every second, and a store is tried more often; this leaves time to repair them. */
const RETRY_AFTER_S = '5';

/** RFC 6750: the scheme in any case, then one token of these characters. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The account that the key in the Authorization header belongs to. Throws the problems of authentication. */
export async function authenticate(
  request: IncomingMessage,
  keys: KeyFinder,
  settings: Settings,
): Promise<Caller> {
  const key = bearerToken(request);
  const found = isWellFormedKey(key) ? await keys.find(key) : 'invalid';
  if (found === 'unavailable')
    throw problem('auth_unavailable', { headers: { 'Retry-After': RETRY_AFTER_S } });
  if (found === 'invalid') throw problem('invalid_api_key', challenge('Bearer error="invalid_token"'));
  return { ...accountOf(found, settings), keyId: keyId(found.hash.toString('hex')) };
}

function bearerToken(request: IncomingMessage): string {
  const values = request.headersDistinct.authorization ?? [];
  if (values.length === 0) throw problem('missing_credentials', challenge('Bearer'));
  const token = values.length === 1 ? BEARER.exec(values[0] ?? '')?.[1] : undefined;
  if (token !== undefined) return token;
  throw problem('invalid_authorization', challenge('Bearer error="invalid_request"'));
}

const challenge = (value: string) => ({ headers: { 'WWW-Authenticate': value } });

function accountOf(record: KeyRecord, settings: Settings): Account {
  const maxConcurrent: Record<Tier, number> = {
    free: settings.freeConcurrency,
    pro: settings.proConcurrency,
    enterprise: Number.POSITIVE_INFINITY,
  };
  const requestsPerMinute = record.limit ?? REQUESTS_PER_MINUTE[record.tier];
  return {
    id: record.account,
    tier: record.tier,
    requestsPerMinute,
    maxConcurrent: maxConcurrent[record.tier],
  };
}
