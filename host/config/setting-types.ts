import { isIP } from 'node:net';

/** One setting: the environment variable it is read from, its default and its allowed values. */
export interface Setting<T> {
  variable: string;
  defaultValue: T;
  /** The allowed values, as the error message for an invalid one names them. */
  expected: string;
  description: string;
  /** Describes the default where it depends on the machine. */
  defaultText?: string;
  /** Values contain credentials, which no message repeats. */
  isSecret?: true;
  /** Returns undefined for an invalid value. */
  parse(text: string): T | undefined;
}

/** A whole number within an inclusive range. */
export function integer(
  variable: string,
  defaultValue: number,
  range: [number, number],
  description: string,
): Setting<number> {
  const [min, max] = range;
  const parse = (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { variable, defaultValue, expected: `a whole number from ${min} to ${max}`, description, parse };
}

/** Any text. */
export function text(variable: string, defaultValue: string, description: string): Setting<string> {
  return { variable, defaultValue, expected: 'text', description, parse: (value) => value };
}

/** The URL of a Redis or Valkey server; empty by default. It contains credentials. */
export function storeUrl(variable: string, description: string): Setting<string> {
  const isStore = (value: string) => {
    if (!/^rediss?:\/\//.test(value) || !URL.canParse(value)) return false;
    const { hostname, pathname, search, hash } = new URL(value);
    return hostname !== '' && /^(\/\d{0,5})?$/.test(pathname) && search === '' && hash === '';
  };
  const parse = (value: string) => (isStore(value) ? value : undefined);
  const expected = 'a URL such as rediss://user:password@host:6379/0';
  return { variable, defaultValue: '', expected, description, isSecret: true, parse };
}

/** One of a fixed list of words. */
export function choice<T extends string>(
  variable: string,
  defaultValue: T,
  values: readonly T[],
  description: string,
): Setting<T> {
  const parse = (value: string) => values.find((one) => one === value);
  return { variable, defaultValue, expected: `one of ${values.join(', ')}`, description, parse };
}

/** `true` or `false`; false by default. */
export function flag(variable: string, description: string): Setting<boolean> {
  const parse = (value: string) => (value === 'true' || value === 'false' ? value === 'true' : undefined);
  return { variable, defaultValue: false, expected: 'true or false', description, parse };
}

/** The same setting, undefined by default. */
export function optional<T>(setting: Setting<T>): Setting<T | undefined> {
  return { ...setting, defaultValue: undefined };
}

/** A comma-separated list of web origins, or `*`; empty by default. */
export function origins(variable: string, description: string): Setting<string[]> {
  const isOrigin = (value: string) =>
    value === '*' || (URL.canParse(value) && new URL(value).origin === value);
  const parse = (value: string) => {
    const list = value.split(',').map((item) => item.trim());
    return list.every(isOrigin) ? list : undefined;
  };
  return {
    variable,
    defaultValue: [],
    expected: '* or origins such as https://example.com, separated by commas',
    description,
    parse,
  };
}

/** A range of IP addresses. */
export interface AddressRange {
  address: string;
  /** The number of leading bits that all addresses of the range share. */
  prefix: number;
  family: 'ipv4' | 'ipv6';
}

/** Ranges of addresses, or how many proxies every request passes. */
export type TrustedProxies = AddressRange[] | number;

/** The header in which proxies name the client, as node:http spells it. */
export type ForwardedHeader = 'x-forwarded-for' | 'forwarded';

const MAX_PROXIES = 32;

/** Reverse proxies: a number of them, or a comma-separated list of their addresses; none by default. */
export function proxies(variable: string, description: string): Setting<TrustedProxies> {
  const parse = (value: string) => {
    if (/^\d{1,2}$/.test(value)) return Number(value) <= MAX_PROXIES ? Number(value) : undefined;
    const ranges = value.split(',').map((item) => toRange(item.trim()));
    return ranges.every((range) => range !== undefined) ? ranges : undefined;
  };
  const expected = `a number of proxies up to ${MAX_PROXIES}, or addresses such as 192.0.2.1 or 10.0.0.0/8, separated by commas`;
  return { variable, defaultValue: [], expected, description, parse };
}

function toRange(text: string): AddressRange | undefined {
  const [, address = '', digits] = /^([\da-f:.]+)(?:\/(\d{1,3}))?$/i.exec(text) ?? [];
  const version = isIP(address);
  if (version === 0) return undefined;
  const bits = version === 6 ? 128 : 32;
  const prefix = Number(digits ?? bits);
  return prefix > bits ? undefined : { address, prefix, family: version === 6 ? 'ipv6' : 'ipv4' };
}
