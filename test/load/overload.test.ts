import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { MULTIPART, Service, wireBody } from '../http/service.ts';
import { checkerboard } from './bombs.ts';
import { addAccounts, percentile, secondFor, smallRequests } from './loaded-service.ts';

const CALLERS = 6;
const CAPACITY_MS = 4_000;
const LOAD_MS = 6_000;
const OVERLOAD = 10;
/** Two workers, and a thread for small images. */
const THREADS = 3;
const MAX_WAIT_MS = 2_000;

interface Answer {
  status: number;
  text: string;
  retryS: number;
  ms: number;
  atMs: number;
}

test('at ten times its capacity, the service does as much as before and refuses the rest', async (t) => {
  const service = await Service.start({ TRACESMITH_MAX_WAIT_MS: String(MAX_WAIT_MS) });
  t.after(() => service.stop());
  const [other = ''] = await addAccounts(service, 1);
  const body = wireBody(await checkerboard(250));
  const headers = { ...MULTIPART, authorization: `Bearer ${service.keys.enterprise}` };
  // Does as little as possible: what the client takes of the processors, the service lacks.
  const send = async (): Promise<Answer> => {
    const startMs = performance.now();
    const response = await request(`${service.url}/v1/vectorize`, { method: 'POST', headers, body });
    const text = await response.body.text();
    const [status, retryS] = [response.statusCode, Number(response.headers['retry-after'])];
    return { status, text, retryS, ms: performance.now() - startMs, atMs: performance.now() };
  };

  const calm = (await smallRequests(service, other, 10, 20)).sorted;
  const measureCapacity = async () => {
    const startMs = performance.now();
    let done = 0;
    const caller = async () => {
      while (performance.now() - startMs < CAPACITY_MS) if ((await send()).status === 200) done++;
    };
    await Promise.all(Array.from({ length: CALLERS }, caller));
    return (done / (performance.now() - startMs)) * 1000;
  };
  const before = await measureCapacity();

  const sent: Promise<Answer>[] = [];
  const startMs = performance.now();
  const small = smallRequests(service, other, LOAD_MS / 1000, 1_000);
  while (performance.now() - startMs < LOAD_MS) {
    const due = ((performance.now() - startMs) / 1000) * before * OVERLOAD;
    while (sent.length < due) sent.push(send());
    await sleep(5);
  }
  const endMs = performance.now();
  const { sorted: smallMs, slowest } = await small;
  assert.ok(percentile(smallMs, 1) <= secondFor(calm), `another account: ${slowest}`);

  const answers = await Promise.all(sent);
  const accepted = answers.filter(({ status }) => status === 200);
  for (const { status, text, retryS } of answers.filter((answer) => answer.status !== 200)) {
    assert.equal(`${status} ${JSON.parse(text).code}`, '503 overloaded');
    assert.ok(retryS >= 1 && retryS <= 30, String(retryS));
  }
  // Images that are being traced at the end are half done, on average.
  const done = accepted.filter(({ atMs }) => atMs <= endMs).length + THREADS / 2;
  const during = done / (LOAD_MS / 1000);
  const workMs = percentile(
    accepted.map(({ text }): number => JSON.parse(text).processingTime).sort((a, b) => a - b),
    0.99,
  );
  const acceptedMs = accepted.map(({ ms }) => ms).sort((a, b) => a - b);
  const p99 = percentile(acceptedMs, 0.99);
  t.diagnostic(
    `capacity ${before}/s, goodput ${during}/s of ${answers.length} sent, p99 ${p99} ms, work ${workMs} ms, other ${slowest}`,
  );
  assert.ok(p99 <= MAX_WAIT_MS + 2 * workMs + secondFor(calm) / 2, `${p99} ms for ${workMs} ms of work`);
  const lastMs = Math.max(...answers.map(({ atMs }) => atMs));
  assert.ok(lastMs - endMs <= MAX_WAIT_MS + 2 * workMs, 'the queue is empty soon after the load has ended');
  // The machine may be slower by now, for reasons outside of this test.
  const capacity = Math.min(before, await measureCapacity());
  // On a quiet machine, at least 0.9; client and service share its processors with whatever else runs.
  assert.ok(during >= 0.7 * capacity, `${during} of ${capacity} requests a second`);
});
