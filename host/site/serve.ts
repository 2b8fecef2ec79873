import type { IncomingMessage } from 'node:http';
import type { Answer } from '../http/send-response.ts';
import { buildSite, SITE_TYPES, type SiteFile, type SitePath } from './build.ts';

export const SITE_PATHS = Object.keys(SITE_TYPES) as SitePath[];

/** What a page may be framed by can only be said in a header; all else is said in the page, for other servers too. */
const FRAMES = "frame-ancestors 'none'";
/** A worker has the policy of its own file's answer. */
const OF_WORKERS = "default-src 'none'; script-src 'wasm-unsafe-eval'";

const LINKS = '<p><a href="/docs">The HTTP interface</a></p>';

let site: Promise<Map<SitePath, SiteFile>> | undefined;

/** A file of the playground. They are made when the first of them is asked for. */
export async function siteAnswer(path: SitePath, request: IncomingMessage): Promise<Answer> {
  site ??= buildSite(LINKS);
  const file = (await site).get(path);
  if (file === undefined) throw new Error(`the playground has no ${path}`);
  const isZipped = /\bgzip\b(?!\s*;\s*q=0(\.0*)?\s*(,|$))/i.test(
    String(request.headers['accept-encoding'] ?? ''),
  );
  const policy = path.endsWith('-worker.js') ? OF_WORKERS : FRAMES;
  return {
    status: 200,
    headers: {
      'Content-Type': file.type,
      'Content-Security-Policy': policy,
      Vary: 'Accept-Encoding',
      ...(isZipped ? { 'Content-Encoding': 'gzip' } : {}),
    },
    body: [isZipped ? file.gzipped : file.bytes],
  };
}
