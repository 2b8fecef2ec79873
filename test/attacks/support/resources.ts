import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { request } from 'node:http';
import { after, before } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Agent, setGlobalDispatcher } from 'undici';
import { DEADLINE_MS, form, picture, Service } from '../../http/service.ts';

/** Within this time after an attack, everything must be as it was before. */
export const RECOVERY_MS = 5_000;

/** The gauges that tell what requests hold. */
const GAUGES = [
  'http_server_active_requests',
  'tracesmith_jobs_waiting',
  'tracesmith_jobs_running',
  'tracesmith_image_memory_reserved_bytes',
  'tracesmith_transfer_memory_reserved_bytes',
  'tracesmith_requests_in_flight',
];
/** libvips starts threads for images that are decoded at the same time, and ends them when they have been idle for long. */
const EXTRA_THREADS = 4;

// A connection that this process keeps open would count as a descriptor of the service.
setGlobalDispatcher(new Agent({ pipelining: 0 }));

const logo = picture('logo.png');

/** What requests hold, by name: gauges and, on Linux, file descriptors and threads. */
export type Resources = Record<string, number>;

/** Reads the metrics over a connection that is closed afterwards. */
function metricsText({ metricsUrl }: Service): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { agent: false, signal: AbortSignal.timeout(DEADLINE_MS) };
    const sent = request(metricsUrl, options, async (response) => {
      let text = '';
      for await (const chunk of response) text += chunk;
      response.socket.once('close', () => resolve(text));
    });
    sent.on('error', reject).end();
  });
}

/** Each series of a metric, by its labels. */
export async function series(service: Service, name: string): Promise<Map<string, number>> {
  return seriesIn(await metricsText(service), name);
}

/** The sum of a metric over all series whose labels contain a text. */
export async function sum(service: Service, name: string, text = ''): Promise<number> {
  const all = await series(service, name);
  return total(new Map([...all].filter(([labels]) => labels.includes(text))));
}

function seriesIn(text: string, name: string): Map<string, number> {
  const lines = text.split('\n').filter((line) => line.split(/[{ ]/, 1)[0] === name);
  const valueAt = (line: string) => line.lastIndexOf(' ');
  return new Map(
    lines.map((line) => [line.slice(name.length, valueAt(line)), Number(line.slice(valueAt(line)))]),
  );
}

const total = (values: Map<string, number>) => [...values.values()].reduce((sum, value) => sum + value, 0);

export async function resourcesOf(service: Service): Promise<Resources> {
  const text = await metricsText(service);
  const gauges = Object.fromEntries(GAUGES.map((name) => [name, total(seriesIn(text, name))]));
  if (process.platform !== 'linux') return gauges;
  const entries = (folder: string) => readdirSync(`/proc/${service.process.pid}/${folder}`).length;
  return { ...gauges, descriptors: entries('fd'), threads: entries('task') };
}

/** Uses every worker, then tells what the idle service may hold. */
export async function resourcesAtRest(service: Service): Promise<Resources> {
  await assertServes(service);
  await sleep(200);
  const { threads, ...rest } = await resourcesOf(service);
  return threads === undefined ? rest : { ...rest, threads: threads + EXTRA_THREADS };
}

/** Fails unless the service holds no more than before within RECOVERY_MS, and then serves as before. */
export async function assertRecovered(service: Service, before: Resources): Promise<void> {
  const deadline = Date.now() + RECOVERY_MS;
  let more: string[] = [];
  do {
    const now = await resourcesOf(service);
    more = Object.keys(before)
      .filter((name) => (now[name] ?? 0) > (before[name] ?? 0))
      .map((name) => `${name}: ${before[name]} → ${now[name]}`);
    if (more.length === 0) return assertServes(service);
    await sleep(100);
  } while (Date.now() < deadline);
  assert.fail(`not released within ${RECOVERY_MS} ms: ${more.join(', ')}`);
}

/** Fails unless several requests at the same time succeed: no worker was lost. */
export async function assertServes(service: Service): Promise<void> {
  const responses = await Promise.all(Array.from({ length: 6 }, () => service.post(form(logo))));
  const statuses = responses.map(({ status }) => status);
  assert.deepEqual(statuses, Array(6).fill(200), responses.map(({ text }) => text.slice(0, 200)).join('\n'));
}

/** A service of the tests in the file or suite that calls this, and what it holds at rest. Both are there once a test runs. */
export function useService(start: () => Promise<Service> = () => Service.start()) {
  const used = {} as { service: Service; rest: Resources };
  before(async () => {
    used.service = await start();
    used.rest = await resourcesAtRest(used.service);
  });
  after(() => used.service.stop());
  return used;
}
