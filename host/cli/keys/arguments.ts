import { hasKeyShape } from '../../auth/api-key.ts';
import { parseDate } from '../../auth/key-file-format.ts';
import { TIERS } from '../../auth/key-store.ts';
import { parse, textOf, UsageError, type Values } from '../parse-args.ts';
import type { Terms } from './commands.ts';

export type KeyCommand = { file: string | undefined } & (
  | { verb: 'issue'; terms: Terms }
  | { verb: 'list'; asJson: boolean }
  | { verb: 'revoke'; ids: string[] }
  | { verb: 'rotate'; id: string; graceMs: number }
);

export const HELP = `Makes and changes API keys.

  npm run keys -- issue --tier free|pro|enterprise [--account <name>] [--limit <requests a minute>]
                        [--expires <date or duration>] [--label <text>]
  npm run keys -- list [--json]
  npm run keys -- revoke <id> …
  npm run keys -- rotate <id> [--grace <duration>]

  --account    Who the key belongs to; its keys share one rate. Without it, a new account is named.
  --limit      Requests in any 60 seconds, instead of the tier's own number.
  --expires    2030-01-31, 2030-01-31T12:00:00Z, or a duration from now.
  --grace      How long the old key goes on working; 24h without it, 0s for not at all.
  --file       The keys file; without it, the one that TRACESMITH_KEYS_FILE names.
  Durations    30s, 15m, 12h, 90d

A new key goes to stdout, once, and nowhere else; what else there is to say goes to stderr.
`;

const UNITS_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };
const DEFAULT_GRACE = '24h';
const ACCOUNT = /^[\w.@-]{1,64}$/;
const LABEL = /^[^\p{Cc}]{1,200}$/u;

const TEXT = { type: 'string' } as const;
const FLAGS = {
  issue: { tier: TEXT, account: TEXT, limit: TEXT, expires: TEXT, label: TEXT },
  list: { json: { type: 'boolean' } },
  revoke: {},
  rotate: { grace: TEXT },
} as const;
type Verb = keyof typeof FLAGS;

/** Reads a command line. */
export function parseKeyCommand([verb = '', ...args]: string[], nowMs: number): KeyCommand | 'help' {
  if (verb === '--help' || verb === '-h' || args.includes('--help')) return 'help';
  if (!Object.hasOwn(FLAGS, verb)) throw new UsageError(`Say one of ${Object.keys(FLAGS).join(', ')}.`);
  const known = verb as Verb;
  const options = { ...FLAGS[known], file: TEXT };
  const { values, positionals } = parse({ args, options, allowPositionals: true });
  return { file: textOf(values, 'file'), ...read(known, values, positionals, nowMs) };
}

type Read = KeyCommand extends infer C ? (C extends KeyCommand ? Omit<C, 'file'> : never) : never;

function read(verb: Verb, values: Values, ids: string[], nowMs: number): Read {
  const [id] = ids;
  if (id !== undefined && (verb === 'issue' || verb === 'list'))
    throw new UsageError(`${verb} takes flags only.`);
  if (verb === 'issue') return { verb, terms: readTerms(values, nowMs) };
  if (verb === 'list') return { verb, asJson: values.json === true };
  if (id === undefined) throw new UsageError('Name a key by its id; list shows them.');
  if (verb === 'revoke') return { verb, ids };
  if (ids.length > 1) throw new UsageError('Rotate one key at a time.');
  const graceMs = parseDuration(textOf(values, 'grace') ?? DEFAULT_GRACE);
  if (graceMs === undefined) throw new UsageError('--grace must be a duration such as 24h');
  return { verb, id, graceMs };
}

function readTerms(values: Values, nowMs: number): Terms {
  const tier = TIERS.find((one) => one === values.tier);
  if (tier === undefined) throw new UsageError(`--tier must be one of ${TIERS.join(', ')}`);
  const [account, label, limit] = ['account', 'label', 'limit'].map((name) => textOf(values, name));
  const expires = textOf(values, 'expires');
  check(account, '--account', '1 to 64 of A–Z a–z 0–9 _ . @ -', (text) => ACCOUNT.test(text));
  check(label, '--label', 'up to 200 characters of text', (text) => LABEL.test(text));
  check(limit, '--limit', 'a whole number above 0', (text) => /^[1-9]\d{0,8}$/.test(text));
  return {
    tier,
    ...(account === undefined ? {} : { account }),
    ...(limit === undefined ? {} : { limit: Number(limit) }),
    ...(expires === undefined ? {} : { expires: readExpiry(expires, nowMs) }),
    ...(label === undefined ? {} : { label }),
  };
}

function readExpiry(text: string, nowMs: number): string {
  const duration = parseDuration(text);
  const timeMs = duration === undefined ? parseDate(text) : nowMs + duration;
  if (timeMs === undefined || timeMs <= nowMs) {
    throw new UsageError('--expires must be a time to come: 2030-01-31, 2030-01-31T12:00:00Z or 90d');
  }
  return new Date(timeMs).toISOString();
}

function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

function check(
  text: string | undefined,
  flag: string,
  expected: string,
  isGood: (text: string) => boolean,
): void {
  if (text === undefined) return;
  if (!isGood(text) || hasKeyShape(text)) throw new UsageError(`${flag} must be ${expected}`);
}
