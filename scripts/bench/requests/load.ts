import type { EventEmitter } from 'node:events';
import autocannon from 'autocannon';
import type { RequestResults } from '../core/results.ts';

export interface Order {
  url: string;
  key: string;
  pngFile: string;
  connections: number;
  /** The load ends after this time or this many requests, whichever comes first. */
  ms: number;
  requests: number;
}

export type Responses = Pick<RequestResults, 'perSecond' | 'latenciesMs' | 'engineMs' | 'refused'>;

const TIMEOUT_S = 60;
/** How often autocannon looks whether the load has ended. */
const SAMPLE_MS = 20;

/**
 * Uploads a picture over several connections; each sends its next request when it has the response to its last. Adds the
 * responses to `found` and gives the number of those with an SVG.
 */
export async function load(order: Order, found: Responses): Promise<number> {
  const { url, key, pngFile, connections, ms, requests } = order;
  const answeredBefore = found.latenciesMs.length;
  const startMs = performance.now();
  let endMs = startMs;
  const observe = (client: EventEmitter) => {
    let engineMs = 0;
    client.on('headers', ({ headers }: { headers: string[] }) => {
      engineMs = engineTime(headers);
    });
    client.on('response', (status: number, _bytes: number, latencyMs: number) => {
      endMs = performance.now();
      if (status !== 200) return void found.refused++;
      found.latenciesMs.push(latencyMs);
      found.engineMs.push(engineMs);
    });
  };
  const { errors } = await autocannon({
    url: `${url}/v1/vectorize`,
    method: 'POST',
    headers: { authorization: `Bearer ${key}` },
    form: { file: { type: 'file', path: pngFile } },
    connections: Math.min(connections, requests),
    duration: ms / 1000,
    maxOverallRequests: requests,
    timeout: TIMEOUT_S,
    sampleInt: SAMPLE_MS,
    setupClient: observe,
  });
  found.refused += errors;
  const answered = found.latenciesMs.length - answeredBefore;
  found.perSecond.push((answered * 1000) / (endMs - startMs));
  return answered;
}

/** The milliseconds of decoding and tracing; `headers` alternates names and values. */
function engineTime(headers: string[]): number {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'server-timing');
  const steps = [...(headers[at + 1] ?? '').matchAll(/\b(?:decode|trace);dur=([\d.]+)/g)];
  return steps.reduce((sum, [, ms]) => sum + Number(ms), 0);
}
