import type { IncomingMessage } from 'node:http';
import type { Settings } from '../config/settings.ts';
import { Problem } from '../errors/problem.ts';
import { hasKeyShape } from './api-key.ts';
import type { KeyRecord, KeyStore, Tier } from './key-store.ts';

/** Who is calling, and what they may do. */
export interface Account {
  id: string;
  tier: Tier;
  /** Requests in any 60 seconds. */
  perMinute: number;
  /** Requests at once. */
  atOnce: number;
}

const PER_MINUTE: Record<Tier, number> = { free: 10, pro: 100, enterprise: Number.POSITIVE_INFINITY };

/** Seconds after which keys that could not be checked are worth another try. */
const RETRY_S = '5';

/** RFC 6750: the scheme in any case, one token of these characters. */
const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i;

/** The caller's account, by the key in the Authorization header. */
export function authenticate(request: IncomingMessage, keys: KeyStore, settings: Settings): Account {
  const key = bearerToken(request);
  const verdict = hasKeyShape(key) ? keys.judge(key) : 'refused';
  if (verdict === 'unavailable') {
    const headers = { 'Retry-After': RETRY_S };
    throw new Problem('auth_unavailable', 'The API key cannot be checked now. Try again.', { headers });
  }
  if (verdict === 'refused') {
    throw refusal('invalid_api_key', 'The API key is not valid.', 'Bearer error="invalid_token"');
  }
  return accountOf(verdict, settings);
}

function bearerToken(request: IncomingMessage): string {
  const values = request.headersDistinct.authorization ?? [];
  if (values.length === 0) {
    throw refusal('missing_credentials', 'Send the header "Authorization: Bearer <API_KEY>".', 'Bearer');
  }
  const token = values.length === 1 ? BEARER.exec(values[0] ?? '')?.[1] : undefined;
  if (token === undefined) {
    const detail = 'The Authorization header must be one, and of the form "Bearer <API_KEY>".';
    throw refusal('invalid_authorization', detail, 'Bearer error="invalid_request"');
  }
  return token;
}

function refusal(
  code: 'missing_credentials' | 'invalid_authorization' | 'invalid_api_key',
  detail: string,
  challenge: string,
) {
  return new Problem(code, detail, { headers: { 'WWW-Authenticate': challenge } });
}

function accountOf(record: KeyRecord, settings: Settings): Account {
  const atOnce: Record<Tier, number> = {
    free: settings.freeConcurrency,
    pro: settings.proConcurrency,
    enterprise: Number.POSITIVE_INFINITY,
  };
  const perMinute = record.limit ?? PER_MINUTE[record.tier];
  return { id: record.account, tier: record.tier, perMinute, atOnce: atOnce[record.tier] };
}
