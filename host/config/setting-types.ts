/** One setting: where it comes from, what it is when absent, and what it may be. */
export interface Row<T> {
  variable: string;
  fallback: T;
  /** Said to the person who set it wrong. */
  expected: string;
  meaning: string;
  /** The default in words, where it is not the same everywhere. */
  fallbackIs?: string;
  parse(text: string): T | undefined;
}

export function whole(
  variable: string,
  fallback: number,
  range: [number, number],
  meaning: string,
): Row<number> {
  const [min, max] = range;
  const parse = (text: string) => {
    const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
    return value >= min && value <= max ? value : undefined;
  };
  return { variable, fallback, expected: `a whole number from ${min} to ${max}`, meaning, parse };
}

export function text(variable: string, fallback: string, meaning: string): Row<string> {
  return { variable, fallback, expected: 'text', meaning, parse: (value) => value };
}

export function choice<T extends string>(
  variable: string,
  fallback: T,
  values: readonly T[],
  meaning: string,
): Row<T> {
  const parse = (value: string) => values.find((one) => one === value);
  return { variable, fallback, expected: `one of ${values.join(', ')}`, meaning, parse };
}

export function optional<T>(row: Row<T>): Row<T | undefined> {
  return { ...row, fallback: undefined };
}

export function origins(variable: string, meaning: string): Row<string[]> {
  const isOrigin = (value: string) =>
    value === '*' || (URL.canParse(value) && new URL(value).origin === value);
  const parse = (value: string) => {
    const list = value.split(',').map((item) => item.trim());
    return list.every(isOrigin) ? list : undefined;
  };
  return {
    variable,
    fallback: [],
    expected: '* or origins such as https://example.com, separated by commas',
    meaning,
    parse,
  };
}
