import { UsageError } from '../parse-args.ts';

/** The hosts of --remote: their base URLs, without a slash at the end. Throws `UsageError`. */
export function parseHosts(text: string): string[] {
  return [...new Set(text.split(',').map((item) => parseHost(item.trim())))];
}

function parseHost(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol))
    throw new UsageError(
      `--remote must be URLs such as https://example.com, separated by commas, not ${JSON.stringify(text)}.`,
    );
  // Everyone on this machine can read the arguments of a program.
  if (url.username !== '' || url.password !== '')
    throw new UsageError(
      '--remote must not contain credentials. Pass the API key in TRACESMITH_API_KEY or --key-file.',
    );
  if (url.search !== '' || url.hash !== '')
    throw new UsageError(`--remote must be the base URL of a service, without ${url.search}${url.hash}.`);
  return url.href.replace(/\/+$/, '');
}
