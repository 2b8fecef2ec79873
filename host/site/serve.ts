import type { IncomingMessage } from 'node:http';
import { loadSite } from '#site';
import { acceptsGzip } from '../http/content-negotiation.ts';
import type { HttpResponse } from '../http/send-response.ts';
import type { SitePath } from './files.ts';
import { untilSuccess } from './until-success.ts';

/** The page has a policy of its own, for any server, but `frame-ancestors` works in a header only. */
const PAGE_POLICY = "frame-ancestors 'none'";
/** A worker has the policy of the response with its script. */
const WORKER_POLICY = "default-src 'none'; script-src 'wasm-unsafe-eval'";

/** The playground is built, or read, at the first request. */
const site = untilSuccess(loadSite);

/** The response with a file of the playground. */
export async function serveSite(path: SitePath, request: IncomingMessage): Promise<HttpResponse> {
  const file = (await site()).get(path);
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
