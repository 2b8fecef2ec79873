import { type KeyRecord, TIERS, type Tier } from './key-store.ts';

/** One key as the file has it. Members of other names are kept as they are. */
export interface KeyRow {
  /** SHA-256 of the key, in hexadecimal. */
  hash: string;
  account: string;
  tier: Tier;
  limit?: number;
  /** A date, or a date and time with its zone. */
  expires?: string;
  revoked?: boolean;
  label?: string;
  created?: string;
}

const HASH = /^[0-9a-f]{64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Checks the text of a keys file. Messages name the place and never quote the text. */
export function parseKeys(text: string, path: string): KeyRow[] {
  const document = parseJson(text, path);
  const keys = isObject(document) ? document.keys : undefined;
  if (!Array.isArray(keys)) throw new Error(`${path}: expected an object with a list "keys"`);
  const rows = keys.map((row, index) => checkRow(row, `${path}: keys[${index}]`));
  const seen = new Set<string>();
  for (const [index, { hash }] of rows.entries()) {
    if (seen.has(hash)) throw new Error(`${path}: keys[${index}].hash is there twice`);
    seen.add(hash);
  }
  return rows;
}

export function formatKeys(rows: readonly KeyRow[]): string {
  return `${JSON.stringify({ keys: rows }, null, 2)}\n`;
}

/** What the service keeps of a row. */
export function toRecord({ hash, account, tier, limit, expires, revoked }: KeyRow): KeyRecord {
  return {
    hash: Buffer.from(hash, 'hex'),
    account,
    tier,
    revoked: revoked === true,
    ...(limit === undefined ? {} : { limit }),
    ...(expires === undefined ? {} : { expiresAt: Date.parse(expires) }),
  };
}

/** Milliseconds since 1970 of a date, or of a date and time with its zone. */
export function parseDate(text: string): number | undefined {
  const [date = ''] = DATE.exec(text)?.[0].split('T', 1) ?? [];
  const time = Date.parse(text);
  // Date.parse takes 31 February for 3 March.
  return Number.isNaN(time) || !isDay(date) ? undefined : time;
}

function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes what stands there.
    throw new Error(`${path} is not JSON`);
  }
}

function checkRow(row: unknown, where: string): KeyRow {
  if (!isObject(row)) throw new Error(`${where} must be an object`);
  const need = (ok: boolean, what: string) => {
    if (!ok) throw new Error(`${where}.${what}`);
  };
  const { hash, account, tier, limit, expires, revoked } = row;
  need(typeof hash === 'string' && HASH.test(hash), 'hash must be a SHA-256 in lower-case hexadecimal');
  need(typeof account === 'string' && account !== '', 'account must be a text');
  need((TIERS as readonly unknown[]).includes(tier), `tier must be one of ${TIERS.join(', ')}`);
  const isLimit = Number.isSafeInteger(limit) && Number(limit) > 0;
  need(limit === undefined || isLimit, 'limit must be a whole number above 0');
  const isDate = typeof expires === 'string' && parseDate(expires) !== undefined;
  need(expires === undefined || isDate, 'expires must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z');
  need(revoked === undefined || typeof revoked === 'boolean', 'revoked must be true or false');
  return row as unknown as KeyRow;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
