import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEADLINE_MS, form, part, picture, Service, wireBody, wireHead } from './service.ts';
import { noise } from './support/noise.ts';

const logo = picture('logo.png');
const MIB = 1024 * 1024;
/** An image that takes longer to trace than the tests wait. */
const hard = noise(2000, 2000, 2);

/** Consecutive waves of clients that must not increase the memory. Each wave uploads 120 MiB. */
const CALM_WAVES = 4;
/** Tolerated growth: the bodies of 8 of 800 clients. */
const CALM_BYTES = 8 * MIB;
const MOST_WAVES = 40;

/** Sends a request up to a byte, counted from the start of its headers or, if negative, from its end. */
async function sendPart(service: Service, file: Uint8Array, end: number): Promise<Socket> {
  const body = wireBody(file);
  const bytes = Buffer.concat([Buffer.from(wireHead(service.keys.enterprise, body.length)), body]);
  const socket = connect(service.port, 'localhost').on('error', () => {});
  await new Promise<void>((resolve) => socket.write(bytes.subarray(0, end), () => resolve()));
  return socket;
}

const CALLED = 'http_server_active_requests';
const WORKER_RESTARTS = 'tracesmith_worker_restarts_total';
const HELD = [
  CALLED,
  'tracesmith_jobs_waiting',
  'tracesmith_jobs_running',
  'tracesmith_image_memory_reserved_bytes',
  'tracesmith_transfer_memory_reserved_bytes',
  'tracesmith_requests_in_flight',
];

describe('clients that disconnect', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({ TRACESMITH_WORKERS: '1', TRACESMITH_MAX_WAIT_MS: '600000' });
    assert.equal((await service.post(form(logo))).status, 200);
  });
  after(() => service.stop());

  const untilNothingHeld = async () => {
    for (const name of HELD) await service.untilMetric(name, 0);
  };

  test('while uploading: concurrency slot and memory are released', async () => {
    const socket = await sendPart(service, hard, 1_000_000);
    await service.untilMetric('tracesmith_requests_in_flight', 1);
    socket.destroy();
    await untilNothingHeld();
    await service.untilLogged('"status":499');
  });

  test('while waiting and while tracing: the worker is released', async () => {
    const before = await service.metric(WORKER_RESTARTS);
    const traced = await sendPart(service, hard, Number.POSITIVE_INFINITY);
    await service.untilMetric('tracesmith_jobs_running', 1);
    const waiting = await sendPart(service, hard, Number.POSITIVE_INFINITY);
    await service.untilMetric('tracesmith_jobs_waiting', 1);
    waiting.destroy();
    await service.untilMetric('tracesmith_jobs_waiting', 0);
    traced.destroy();
    await untilNothingHeld();
    assert.equal(await service.metric(WORKER_RESTARTS), before, 'its thread goes on');
    assert.equal((await service.post(form(logo))).status, 200);
  });

  const isLinux = process.platform === 'linux';
  test('200 at the same time, at every stage: all resources are released', {
    skip: !isLinux && 'reads /proc',
  }, async () => {
    // Bytes after the end of a PNG are ignored, so this large body is traced quickly.
    const file = Buffer.concat([logo, Buffer.alloc(MIB)]);
    const STAGES = [1, 60, 250, 400, MIB / 2, -1, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    const wave = async () => {
      const sockets = Array.from({ length: 200 }, (_, i) =>
        sendPart(service, file, STAGES[i % STAGES.length] ?? 0),
      );
      for (const socket of await Promise.all(sockets)) {
        await sleep(2);
        socket.destroy();
      }
      await untilNothingHeld();
    };
    await wave();
    const before = held(service);
    // Garbage may remain for a while; unlike a leak, it does not keep growing.
    let [peakBytes, calmWaves] = [before.residentBytes, 0];
    for (let i = 0; i < MOST_WAVES && calmWaves < CALM_WAVES; i += 1) {
      await wave();
      const { residentBytes } = held(service);
      const isPeak = residentBytes > peakBytes + CALM_BYTES;
      [peakBytes, calmWaves] = isPeak ? [residentBytes, 0] : [peakBytes, calmWaves + 1];
    }
    assert.equal(calmWaves, CALM_WAVES, `resident bytes still grow: ${before.residentBytes} → ${peakBytes}`);
    const deadline = Date.now() + DEADLINE_MS;
    while (held(service).descriptors > before.descriptors && Date.now() < deadline) await sleep(50);
    const { descriptors } = held(service);
    assert.ok(descriptors <= before.descriptors, `descriptors: ${before.descriptors} → ${descriptors}`);
    const responses = await Promise.all(Array.from({ length: 8 }, () => service.post(form(logo))));
    assert.deepEqual(
      responses.map((response) => response.status),
      Array(8).fill(200),
    );
    assert.ok(!service.log.some((line) => line.includes('"level":"error"')));
  });
});

describe('clients that do not read the response', () => {
  let service: Service;
  before(async () => {
    service = await Service.start({ TRACESMITH_PRO_CONCURRENCY: '1' });
  });
  after(() => service.stop());

  test('hold their concurrency slot and memory until they have read it', async () => {
    const exact = { mode: 'none', filterSpeckle: 0, layerDifference: 0, colorPrecision: 8 };
    const file = noise(500, 500);
    const config = part(['Content-Disposition: form-data; name="config"'], JSON.stringify(exact));
    const body = Buffer.concat([config, wireBody(file)]);
    const socket = connect(service.port, 'localhost');
    const head = wireHead(service.keys.custom, body.length).replace('Host:', 'Connection: close\r\nHost:');
    socket.write(Buffer.concat([Buffer.from(head), body]));
    await service.untilMetric('tracesmith_transfer_memory_reserved_bytes', (bytes) => bytes > body.length);
    const second = await service.post(form(logo), { key: service.keys.custom });
    assert.equal(`${second.status} ${second.json.code}`, '429 concurrency_limited');
    let bytes = 0;
    for await (const data of socket) bytes += data.length;
    assert.ok(bytes > 8 * MIB, `${bytes} bytes: more than the system keeps for a connection`);
    await service.untilMetric('tracesmith_transfer_memory_reserved_bytes', 0);
    assert.equal((await service.post(form(logo), { key: service.keys.custom })).status, 200);
  });

  test('after the response has been read, the concurrency slot is free at once', async () => {
    const files = [logo, picture('landscape.jpg'), noise(200, 200)];
    for (let i = 0; i < 24; i++) {
      const headers: Record<string, string> = i % 2 === 0 ? {} : { connection: 'close' };
      const response = await service.post(form(files[i % 3] ?? logo), { key: service.keys.custom, headers });
      assert.equal(response.status, 200, response.text);
    }
  });
});

/** The memory and file descriptors of the process, according to the kernel. */
function held({ process: { pid }, residentBytes }: Service) {
  return { descriptors: readdirSync(`/proc/${pid}/fd`).length, residentBytes };
}

test('an image that takes too long is canceled, and its thread goes on', async () => {
  const service = await Service.start({ TRACESMITH_PROCESSING_TIMEOUT_MS: '3000', TRACESMITH_WORKERS: '1' });
  try {
    const { free } = service.keys;
    const late = await service.post(form(hard), { key: free });
    assert.equal(`${late.status} ${late.json.code}`, '504 processing_timeout');
    assert.equal(await service.metric(WORKER_RESTARTS), 0);
    const next = await service.post(form(logo), { key: free });
    assert.equal(next.status, 200);
    assert.equal(next.headers['x-ratelimit-remaining'], '8', 'the time was the picture’s fault: it counts');
  } finally {
    await service.stop();
  }
});
