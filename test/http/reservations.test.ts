// The service with a pool that traces nothing, but fails and ends jobs as a test wants.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { processingTimeout } from '../../host/errors/details.ts';
import { problem } from '../../host/errors/problem.ts';
import { type Job, LimitExceeded, type TraceResult } from '../../host/tracing/job.ts';
import type { RunOptions } from '../../host/tracing/worker-pool.ts';
import { DEADLINE_MS, PICTURES, picture, wireBody, wireHead } from './service.ts';
import { InProcessService, RATE } from './support/in-process-service.ts';

const MIB = 1024 * 1024;

let inside: InProcessService;
afterEach(() => inside.stop());

const resultOf = (bytes: number): TraceResult => ({
  svg: new Uint8Array(bytes).fill(32),
  ...{ width: 1, height: 1, decodeMs: 1, traceMs: 1, traceCpuMs: 1, thread: 1, keptBytes: 0 },
});

describe('an image that is traced twice', () => {
  const request = (file: Buffer) => {
    const body = wireBody(file);
    return Buffer.concat([Buffer.from(wireHead(inside.key, body.length)), body]);
  };

  async function answered(): Promise<string> {
    const socket = connect(inside.port).on('error', () => {});
    socket.write(request(picture('logo.png')));
    const [data] = await Promise.race([once(socket, 'data'), once(socket, 'close')]);
    socket.destroy();
    return String(data).split('\r\n', 1)[0] ?? '';
  }

  test('is answered, though nothing is sent meanwhile', async () => {
    const limits = { bodyTimeoutMs: 100, maxWaitMs: 500, processingTimeoutMs: 500 };
    inside = await InProcessService.start(limits);
    let runs = 0;
    inside.service.pool.run = async (job) => {
      runs++;
      await sleep(600);
      if (runs === 1) throw new LimitExceeded('memory', job.file);
      return resultOf(10);
    };
    assert.equal(await answered(), 'HTTP/1.1 200 OK');
    assert.equal(runs, 2);
  });

  test('has one time limit for both runs', async () => {
    inside = await InProcessService.start({ processingTimeoutMs: 1_000 });
    const given: number[] = [];
    inside.service.pool.run = async (job, { timeoutMs }) => {
      given.push(timeoutMs);
      await sleep(400);
      if (given.length === 1) throw new LimitExceeded('memory', job.file);
      return resultOf(10);
    };
    assert.equal(await answered(), 'HTTP/1.1 200 OK');
    assert.equal(given[0], 1_000);
    assert.ok(Number(given[1]) < 700, `${given}`);
  });
});

/** Clients that leave at any time, while jobs end in any way. */
describe('whatever clients and jobs do', () => {
  const CLIENTS = 400;
  const AT_ONCE = 16;
  /** Another seed gives another run. */
  const SEED = Number(process.env.SEED ?? 1);

  const random = (() => {
    let state = SEED;
    return (below: number) => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return (state / 2 ** 32) * below;
    };
  })();
  const chance = (share: number) => random(1) < share;

  async function runAnyhow(job: Job, { timeoutMs, signal }: RunOptions): Promise<TraceResult> {
    await sleep(random(10));
    if (signal.aborted) throw signal.reason;
    const outcomes = [
      () => resultOf(random(MIB)),
      () => resultOf(10),
      () => raise(new LimitExceeded('memory', job.file)),
      () => raise(new LimitExceeded('cpu', job.file)),
      () => raise(processingTimeout(timeoutMs)),
      () => raise(problem('corrupt_image')),
      () => raise(problem('engine_failure')),
      () => raise(new Error('a bug')),
    ];
    return (outcomes[Math.floor(random(outcomes.length))] ?? assert.fail())();
  }

  /** Sends one to three requests in pieces, and disconnects in the middle, after them, or after the first bytes of a response. */
  async function client(): Promise<void> {
    const socket = connect(inside.port).on('error', () => {});
    if (chance(0.8)) socket.resume();
    const requests = Array.from({ length: 1 + Math.floor(random(3)) }, () => {
      const { name } = PICTURES[Math.floor(random(PICTURES.length))] ?? assert.fail();
      const body = wireBody(Buffer.concat([picture(name), Buffer.alloc(random(200_000))]));
      const cut = chance(0.1) ? body.subarray(20) : body;
      return Buffer.concat([Buffer.from(wireHead(inside.key, cut.length)), cut]);
    });
    const garbage = Buffer.from(chance(0.1) ? 'no HTTP\r\n\r\n' : '');
    const bytes = Buffer.concat([...requests, garbage]);
    const end = chance(0.5) ? bytes.length : Math.floor(random(bytes.length));
    for (let at = 0; at < end && !socket.destroyed; ) {
      const size = Math.min(1 + random(100_000), end - at);
      socket.write(bytes.subarray(at, at + size));
      at += size;
      if (chance(0.5)) await sleep(random(4));
    }
    if (chance(0.3)) socket.end();
    await sleep(random(60));
    socket.destroy();
  }

  test('everything is given back', async (t) => {
    t.diagnostic(`SEED=${SEED}`);
    inside = await InProcessService.start({
      ...{ workers: 2, proConcurrency: 12, maxWaitMs: 20, transferBytes: 2 * MIB, maxFileBytes: MIB },
      ...{ memoryBytes: 64 * MIB, processingTimeoutMs: 1_000, sendTimeoutMs: 500 },
    });
    const { service, server } = inside;
    service.pool.run = runAnyhow;
    const clients = { left: CLIENTS };
    await Promise.all(
      Array.from({ length: AT_ONCE }, async () => {
        while (clients.left-- > 0) await client();
      }),
    );
    const held = async () => ({
      connections: await connectionsOf(server),
      active: await sumOf('http_server_active_requests'),
      requests: service.limiter.inFlight,
      transferBytes: service.transferMemory.reservedBytes,
      imageBytes: service.imageMemory.reservedBytes,
      running: service.queue.running,
      waiting: service.queue.waiting,
      predictedWaitMs: service.queue.predictedWaitMs({ account: '', isSmall: false, chargedBytes: 0 }),
    });
    const deadline = Date.now() + DEADLINE_MS;
    const isFree = async () => Object.values(await held()).every((value) => value === 0);
    while (!(await isFree()) && Date.now() < deadline) await sleep(20);
    const nothing = Object.fromEntries(Object.keys(await held()).map((name) => [name, 0]));
    assert.deepEqual(await held(), nothing);
    await assertCounted();
    await service.readiness.close();
  });

  /** What counts against the rate is what passed it, without what was refunded. */
  async function assertCounted(): Promise<void> {
    const { remaining } = inside;
    const REFUNDED = ['overloaded', 'engine_failure', 'internal', 'concurrency_limited', 'rate_limited'];
    const finished = [...(await samples('tracesmith_requests_total'))].filter(({ labels }) =>
      labels.includes('tier="pro"'),
    );
    const sum = (list: typeof finished) => list.reduce((total, { value }) => total + value, 0);
    const unsent = finished.filter(({ labels }) => labels.includes('"499"'));
    const kept = finished.filter(
      (one) => !unsent.includes(one) && !REFUNDED.some((code) => one.labels.includes(`"${code}"`)),
    );
    const counted = RATE - remaining;
    assert.ok(sum(kept) > 0 && sum(unsent) > 0, 'some succeed, some clients leave');
    assert.ok(counted >= sum(kept), `${counted} counted, ${sum(kept)} finished`);
    assert.ok(counted <= sum(kept) + sum(unsent), `${counted} counted, and ${sum(unsent)} left`);
  }

  async function samples(name: string) {
    const text = await inside.service.metrics.text();
    return text
      .split('\n')
      .filter((line) => line.startsWith(name))
      .map((line) => ({
        labels: line.slice(name.length, line.lastIndexOf(' ')),
        value: Number(line.split(' ').at(-1)),
      }));
  }

  async function sumOf(name: string): Promise<number> {
    return (await samples(name)).reduce((sum, { value }) => sum + value, 0);
  }
});

function raise(error: Error): never {
  throw error;
}

function connectionsOf(server: InProcessService['server']): Promise<number> {
  return new Promise((resolve, reject) =>
    server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
  );
}
