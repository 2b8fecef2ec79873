import { type KeyRecord, TIERS, type Tier } from './key-store.ts';

/** One key in the file. Unknown members are kept when the file is changed. */
export interface KeyRow {
  /** SHA-256 of the key, 64 lower-case hexadecimal digits. */
  hash: string;
  account: string;
  tier: Tier;
  /** Requests per minute; overrides the tier's limit. */
  limit?: number;
  /** A date, or a date and time with a time zone; the key is invalid from then on. */
  expires?: string;
  revoked?: boolean;
  label?: string;
  created?: string;
}

const HASH = /^[0-9a-f]{64}$/;
const DATE = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:\d{2}))?$/;

/** Parses the text of a key file. Error messages name the position and never quote the text. */
export function parseKeys(text: string, path: string): KeyRow[] {
  const document = parseJson(text, path);
  const keys = isObject(document) ? document.keys : undefined;
  if (!Array.isArray(keys)) throw new Error(`${path} must contain a JSON object with an array "keys"`);
  const rows = keys.map((row, index) => parseRow(row, `${path}: keys[${index}]`));
  const seen = new Set<string>();
  for (const [index, { hash }] of rows.entries()) {
    if (seen.has(hash)) throw new Error(`${path}: keys[${index}].hash appears more than once`);
    seen.add(hash);
  }
  return rows;
}

/** The text of a key file. */
export function formatKeys(rows: readonly KeyRow[]): string {
  return `${JSON.stringify({ keys: rows }, null, 2)}\n`;
}

/** The part of a row that the service needs. */
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

/** Milliseconds since 1970 of a date, or of a date and time with a time zone; undefined if invalid. */
export function parseDate(text: string): number | undefined {
  const [date = ''] = DATE.exec(text)?.[0].split('T', 1) ?? [];
  const time = Date.parse(text);
  // Date.parse reads 31 February as 3 March.
  return Number.isNaN(time) || !isDay(date) ? undefined : time;
}

function isDay(date: string): boolean {
  const time = Date.parse(date);
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(date);
}

/** Parses JSON that belongs to `path`, for messages. */
export function parseJson(text: string, path: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message would quote the text.
    throw new Error(`${path} is not valid JSON`);
  }
}

/** Checks a row. Error messages begin with `where` and never quote the row. */
export function parseRow(row: unknown, where: string): KeyRow {
  if (!isObject(row)) throw new Error(`${where} must be an object`);
  const check = (isValid: boolean, expectation: string) => {
    if (!isValid) throw new Error(`${where}.${expectation}`);
  };
  const { hash, account, tier, limit, expires, revoked } = row;
  check(
    typeof hash === 'string' && HASH.test(hash),
    'hash must be a SHA-256 hash: 64 lower-case hexadecimal digits',
  );
  check(typeof account === 'string' && account !== '', 'account must be a non-empty string');
  check((TIERS as readonly unknown[]).includes(tier), `tier must be one of ${TIERS.join(', ')}`);
  const isLimit = Number.isSafeInteger(limit) && Number(limit) > 0;
  check(limit === undefined || isLimit, 'limit must be a positive whole number');
  const isDate = typeof expires === 'string' && parseDate(expires) !== undefined;
  check(expires === undefined || isDate, 'expires must be a date such as 2030-01-31 or 2030-01-31T12:00:00Z');
  check(revoked === undefined || typeof revoked === 'boolean', 'revoked must be true or false');
  return row as unknown as KeyRow;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
