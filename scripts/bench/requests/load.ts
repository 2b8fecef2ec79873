import type { EventEmitter } from 'node:events';
import autocannon from 'autocannon';

export interface Order {
  url: string;
  key: string;
  png: Buffer;
  connections: number;
  /** The load ends after this time or this many requests, whichever comes first. */
  ms: number;
  requests: number;
}

/** The responses to one load. */
export interface Load {
  perSecond: number;
  latenciesMs: number[];
  /** The part of each latency that decoding and tracing took, as Server-Timing says. */
  engineMs: number[];
  refused: number;
}

const BOUNDARY = 'tracesmith-benchmark';
const TIMEOUT_S = 60;
/** How often autocannon looks whether the load has ended. */
const SAMPLE_MS = 20;

/** Uploads a picture over several connections; each sends its next request when it has the response to its last. */
export async function load({ url, key, png, connections, ms, requests }: Order): Promise<Load> {
  const found: Load = { perSecond: 0, latenciesMs: [], engineMs: [], refused: 0 };
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
  const head = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="picture.png"\r\n\r\n`;
  const { errors } = await autocannon({
    url: `${url}/v1/vectorize`,
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
    },
    body: Buffer.concat([Buffer.from(head), png, Buffer.from(`\r\n--${BOUNDARY}--\r\n`)]),
    connections: Math.min(connections, requests),
    duration: ms / 1000,
    maxOverallRequests: requests,
    timeout: TIMEOUT_S,
    sampleInt: SAMPLE_MS,
    setupClient: observe,
  });
  found.refused += errors;
  found.perSecond = (found.latenciesMs.length * 1000) / (endMs - startMs);
  return found;
}

/** The milliseconds of decoding and tracing; `headers` alternates names and values. */
function engineTime(headers: string[]): number {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'server-timing');
  const steps = [...(headers[at + 1] ?? '').matchAll(/\b(?:decode|trace);dur=([\d.]+)/g)];
  return steps.reduce((sum, [, ms]) => sum + Number(ms), 0);
}
