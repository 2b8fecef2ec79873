import { isWellFormedKey } from '../../auth/api-key.ts';
import { parseDate } from '../../auth/key-file-format.ts';
import { TIERS } from '../../auth/key-store.ts';
import { type FlagValues, parse, textOf, UsageError } from '../parse-args.ts';
import type { KeyTerms } from './commands.ts';

/** A parsed command line. `file` is the value of --file. */
export type KeyCommand = { file: string | undefined } & (
  | { verb: 'issue'; terms: KeyTerms }
  | { verb: 'list'; asJson: boolean }
  | { verb: 'revoke'; ids: string[] }
  | { verb: 'rotate'; id: string; graceMs: number }
  | { verb: 'move'; to: Place }
);

/** Where keys can be. */
export type Place = (typeof PLACES)[number];
const PLACES = ['file', 'store'] as const;

export const HELP = `Manages API keys.

  npm run keys -- issue --tier free|pro|enterprise [--account <name>] [--limit <requests per minute>]
                        [--expires <date or duration>] [--label <text>]
  npm run keys -- list [--json]
  npm run keys -- revoke <id> …
  npm run keys -- rotate <id> [--grace <duration>]
  npm run keys -- move --to store|file

  --account    Account of the key; all keys of an account share one rate limit. Default: a new account.
  --limit      Maximum requests in any 60 seconds; overrides the tier's limit.
  --expires    2030-01-31, 2030-01-31T12:00:00Z, or a duration from now.
  --grace      How long the old key stays valid; default 24h, 0s ends it at once.
  --to         Where all keys go: from the key file to the store, or from the store to the key file.
  --file       The key file; default: the value of TRACESMITH_KEYS_FILE.
  Durations    30s, 15m, 12h, 90d

The keys are in the store if TRACESMITH_STORE is set, and in the key file otherwise. If both are set, list, revoke and
rotate work on both, and issue on the store. With --file, only the file counts, except for move.

A new key is printed to stdout once and cannot be shown again. All other messages go to stderr.
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
  move: { to: TEXT },
} as const;
type Verb = keyof typeof FLAGS;

/** Parses a command line. Throws `UsageError`. */
export function parseKeyCommand([verb = '', ...args]: string[], nowMs: number): KeyCommand | 'help' {
  if (verb === '--help' || verb === '-h' || args.includes('--help')) return 'help';
  if (!Object.hasOwn(FLAGS, verb))
    throw new UsageError(`The command must be one of ${Object.keys(FLAGS).join(', ')}.`);
  const knownVerb = verb as Verb;
  const { values, positionals } = parse(args, { ...FLAGS[knownVerb], file: TEXT });
  return { file: textOf(values, 'file'), ...readRest(knownVerb, values, positionals, nowMs) };
}

type Rest = KeyCommand extends infer C ? (C extends KeyCommand ? Omit<C, 'file'> : never) : never;

function readRest(verb: Verb, values: FlagValues, ids: string[], nowMs: number): Rest {
  const [id] = ids;
  if (id !== undefined && (verb === 'issue' || verb === 'list' || verb === 'move'))
    throw new UsageError(`${verb} accepts only flags, no other arguments.`);
  if (verb === 'issue') return { verb, terms: readTerms(values, nowMs) };
  if (verb === 'list') return { verb, asJson: values.json === true };
  if (verb === 'move') return { verb, to: readPlace(values) };
  if (id === undefined) throw new UsageError(`${verb} needs the id of a key. The list command shows ids.`);
  if (verb === 'revoke') return { verb, ids };
  if (ids.length > 1) throw new UsageError('rotate accepts only one id.');
  const graceMs = parseDuration(textOf(values, 'grace') ?? DEFAULT_GRACE);
  if (graceMs === undefined) throw new UsageError('--grace must be a duration such as 24h.');
  return { verb, id, graceMs };
}

function readPlace({ to }: FlagValues): Place {
  const place = PLACES.find((one) => one === to);
  if (place === undefined) throw new UsageError(`--to must be one of ${PLACES.join(', ')}.`);
  return place;
}

function readTerms(values: FlagValues, nowMs: number): KeyTerms {
  const tier = TIERS.find((one) => one === values.tier);
  if (tier === undefined) throw new UsageError(`--tier must be one of ${TIERS.join(', ')}.`);
  const [account, label, limit] = ['account', 'label', 'limit'].map((name) => textOf(values, name));
  const expires = textOf(values, 'expires');
  check(account, '--account', '1 to 64 characters of A–Z a–z 0–9 _ . @ -', (text) => ACCOUNT.test(text));
  check(label, '--label', '1 to 200 characters without control characters', (text) => LABEL.test(text));
  check(limit, '--limit', 'a positive whole number', (text) => /^[1-9]\d{0,8}$/.test(text));
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
    throw new UsageError('--expires must be in the future: 2030-01-31, 2030-01-31T12:00:00Z or 90d.');
  }
  return new Date(timeMs).toISOString();
}

/** Milliseconds of a duration such as 12h; undefined if invalid. */
function parseDuration(text: string): number | undefined {
  const [, count, unit] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  return count === undefined ? undefined : Number(count) * UNITS_MS[unit as keyof typeof UNITS_MS];
}

/** A key passed by mistake is rejected as well, before it is stored. */
function check(
  text: string | undefined,
  flag: string,
  expected: string,
  isValid: (text: string) => boolean,
): void {
  if (text === undefined) return;
  if (!isValid(text) || isWellFormedKey(text)) throw new UsageError(`${flag} must be ${expected}.`);
}
