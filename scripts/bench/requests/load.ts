import type { EventEmitter } from 'node:events';
import autocannon from 'autocannon';

export interface Order {
  url: string;
  key: string;
  /** The path of a PNG. */
  file: string;
  connections: number;
  /** The load ends after this time or this many requests, whichever comes first. */
  ms: number;
  requests: number;
}

/** The responses to one load. */
export interface Load {
  perSecond: number;
  /** Processor time of this process, which sends the requests, for each response. */
  clientCpuMs: number;
  latenciesMs: number[];
  /** The part of each latency that decoding and tracing took, as Server-Timing says. */
  engineMs: number[];
  refused: number;
}

const TIMEOUT_S = 60;
const SAMPLE_MS = 20;

/** Uploads a file over several connections; each sends its next request when it has the response to its last. */
export async function load({ url, key, file, connections, ms, requests }: Order): Promise<Load> {
  const found: Load = { perSecond: 0, clientCpuMs: 0, latenciesMs: [], engineMs: [], refused: 0 };
  const cpu = process.cpuUsage();
  const startMs = performance.now();
  let endMs = startMs;
  const watch = (client: EventEmitter) => {
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
    form: { file: { type: 'file', path: file } },
    connections: Math.min(connections, requests),
    duration: ms / 1000,
    maxOverallRequests: requests,
    timeout: TIMEOUT_S,
    sampleInt: SAMPLE_MS,
    setupClient: watch,
  });
  const { user, system } = process.cpuUsage(cpu);
  const answered = found.latenciesMs.length;
  found.refused += errors;
  found.perSecond = (answered * 1000) / (endMs - startMs);
  found.clientCpuMs = (user + system) / 1000 / answered;
  return found;
}

/** The milliseconds of decoding and tracing; `headers` alternates names and values. */
function engineTime(headers: string[]): number {
  const at = headers.findIndex((name, i) => i % 2 === 0 && name.toLowerCase() === 'server-timing');
  const steps = [...(headers[at + 1] ?? '').matchAll(/\b(?:decode|trace);dur=([\d.]+)/g)];
  return steps.reduce((sum, [, ms]) => sum + Number(ms), 0);
}
