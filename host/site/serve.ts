import type { IncomingMessage } from 'node:http';
import { acceptsGzip } from '../http/content-negotiation.ts';
import type { HttpResponse } from '../http/send-response.ts';
import { buildSite, SITE_TYPES, type SiteFile, type SitePath } from './build.ts';

export const SITE_PATHS = Object.keys(SITE_TYPES) as SitePath[];

/** The page has a policy of its own, for any server, but `frame-ancestors` works in a header only. */
const PAGE_POLICY = "frame-ancestors 'none'";
/** A worker has the policy of the response with its script. */
const WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'";

const LINKS = '<p><a href="/docs">API reference</a></p>';

let site: Promise<Map<SitePath, SiteFile>> | undefined;

/** The response with a file of the playground, which is built at the first request. */
export async function serveSite(path: SitePath, request: IncomingMessage): Promise<HttpResponse> {
  site ??= buildSite(LINKS);
  const file = (await site).get(path);
  if (file === undefined) throw new Error(`the playground has no ${path}`);
  const isGzipped = acceptsGzip(request);
  const policy = path.endsWith('-worker.js') ? WORKER_POLICY : PAGE_POLICY;
  return {
    status: 200,
    headers: {
      'Content-Type': file.type,
      'Content-Security-Policy': policy,
      Vary: 'Accept-Encoding',
      ...(isGzipped ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: [isGzipped ? file.gzipped : file.bytes],
  };
}
