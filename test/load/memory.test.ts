import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deflateSync } from 'node:zlib';
import type { Job } from '../../host/tracing/job.ts';
import { createJobControl } from '../../host/tracing/job-control.mjs';
import { WorkerPool } from '../../host/tracing/worker-pool.ts';
import { chunk, idat, iend, ihdr, png, rows } from '../attacks/support/png.ts';
import { END, FILE_HEADERS, form, part, picture, Service, wireHead } from '../http/service.ts';
import { noise } from '../http/support/noise.ts';
import { exchangeRaw } from '../http/support/raw-request.ts';
import { noisePng } from './bombs.ts';
import { codeOf, peakResidentBytes } from './loaded-service.ts';

const MIB = 1024 ** 2;
const skip = process.platform !== 'linux' && 'reads /proc';
/** For Node.js and its threads, as docs/operations.md promises. */
const PROCESS_BYTES = 400 * MIB;

test('eight images of 4 MP at full detail stay within the memory limit, and the answers say so', {
  skip,
}, async () => {
  const memoryBytes = 512 * MIB;
  const service = await Service.start({
    ...{ TRACESMITH_MEMORY_BYTES: String(memoryBytes), TRACESMITH_TRANSFER_BYTES: String(256 * MIB) },
    ...{ TRACESMITH_MAX_WAIT_MS: '4000' },
  });
  try {
    const file = noise(2_000, 2_000);
    const config = { filterSpeckle: 0, layerDifference: 0, colorPrecision: 8 };
    const work = Promise.all(Array.from({ length: 8 }, () => service.post(form(file, config))));
    const peak = await peakResidentBytes(service, work);
    const codes = (await work).map(codeOf);
    assert.ok(codes.includes('422 image_too_complex'), codes.join());
    for (const code of codes) assert.match(code, /^(422 image_too_complex|503 overloaded)$/);
    const limit = memoryBytes + 8 * file.length + PROCESS_BYTES;
    assert.ok(peak <= limit, `${peak / MIB} MiB resident, ${limit / MIB} MiB allowed`);
    // In a thread that then has nothing to do, a large image leaves nothing behind but what the thread may keep.
    const keptBytes = await service.metric('tracesmith_image_memory_kept_bytes');
    const left = service.residentBytes;
    assert.ok(left <= keptBytes + 8 * file.length + PROCESS_BYTES, `${left / MIB} MiB left`);
    assert.equal((await service.post(form(picture('logo.png')))).status, 200);
  } finally {
    await service.stop();
  }
});

test('an image that needs too much memory or CPU time counts against the rate and has no Retry-After', async () => {
  const service = await Service.start({
    ...{ TRACESMITH_MEMORY_BYTES: String(128 * MIB), TRACESMITH_MAX_TRACE_CPU_MS: '2000' },
  });
  try {
    const { pro } = service.keys;
    const large = await service.post(form(noise(700, 700), { filterSpeckle: 0 }), { key: pro });
    assert.equal(codeOf(large), '422 image_too_complex');
    assert.match(large.text, /more than \d+ MiB of memory/);
    const long = await service.post(form(noise(200, 40_000 / 10), { filterSpeckle: 5 }), { key: pro });
    assert.equal(long.status, 200, 'not all large images are complex');
    assert.deepEqual(
      [large.headers['x-ratelimit-remaining'], large.headers['retry-after']],
      ['99', undefined],
    );
    assert.equal(await service.metric('tracesmith_worker_restarts_total'), 0);
  } finally {
    await service.stop();
  }
});

test('an upload in the shortest chunks takes little more memory than its length', {
  skip,
}, async () => {
  const service = await Service.start();
  try {
    const chunked = (bytes: Uint8Array) => [`${bytes.length.toString(16)}\r\n`, bytes, '\r\n'];
    // As a mean, they may not be shorter.
    const file = Buffer.from(`40\r\n${'x'.repeat(64)}\r\n`.repeat(300_000));
    const parts = [chunked(part(FILE_HEADERS, '').subarray(0, -2)), file, chunked(Buffer.from(`\r\n${END}`))];
    const head = wireHead(service.keys.pro, 0).replace('Content-Length: 0', 'Transfer-Encoding: chunked');
    const request = Buffer.concat([head, ...parts.flat(), '0\r\n\r\n'].map((piece) => Buffer.from(piece)));
    const before = service.residentBytes;
    const response = exchangeRaw(service.port, request);
    const peak = await peakResidentBytes(service, response);
    assert.match(await response, /^HTTP\/1\.1 415 .*unsupported_image_format/s);
    assert.ok(peak - before < 100 * MIB, `${(peak - before) / MIB} MiB`);
  } finally {
    await service.stop();
  }
});

test('text in a PNG that expands to 240 MB takes no memory', { skip }, async () => {
  const service = await Service.start();
  try {
    // Of each text, libpng accepts 8 MB.
    const text = chunk(
      'zTXt',
      Buffer.concat([Buffer.from('p\0\0'), deflateSync(Buffer.alloc(7_900_000, 'a'))]),
    );
    for (const side of [8, 600]) {
      const size = { width: side, height: side };
      const file = png(ihdr(size), ...Array<Buffer>(30).fill(text), idat(rows(size)), iend);
      const before = service.residentBytes;
      const response = service.post(form(file));
      const peak = await peakResidentBytes(service, response);
      assert.equal((await response).status, 200);
      assert.ok(peak - before < 100 * MIB, `${(peak - before) / MIB} MiB for ${file.length} bytes`);
    }
  } finally {
    await service.stop();
  }
});

test('jobs that are canceled while decoding leave no memory and no threads behind', { skip }, async () => {
  let restarts = 0;
  const pool = new WorkerPool({
    ...{ threads: 2, engine: 'wasm', keptBytes: 64 * MIB },
    onWorkerExit: () => {
      restarts++;
    },
    onIdleError: (error) => assert.fail(String(error)),
  });
  const png = await noisePng(1_500);
  const unlimited = { maxPixels: 1e8, maxSidePx: 1e5, processingTimeoutMs: 60_000 };
  const job = (): Job => ({
    ...{ file: new Uint8Array(png), format: 'png', outputFormat: 'svg', options: {} },
    size: { width: 1_500, height: 1_500 },
    limits: { ...unlimited, maxEngineBytes: Number.POSITIVE_INFINITY, maxCpuMs: Number.POSITIVE_INFINITY },
    control: createJobControl(),
  });
  const cancelAfter = async (ms: number) => {
    const gone = new AbortController();
    const running = pool.run(job(), { timeoutMs: 60_000, signal: gone.signal });
    setTimeout(() => gone.abort(new Error('gone')), ms);
    await assert.rejects(running, /gone/);
  };
  const cancelMany = async (count: number) => {
    for (let i = 0; i < count; i++)
      await Promise.all([cancelAfter(5 + (i % 40)), cancelAfter(10 + (i % 30))]);
  };
  try {
    await cancelMany(10);
    await sleep(500);
    const before = { bytes: process.memoryUsage.rss(), threads: threads() };
    await cancelMany(30);
    const grown = process.memoryUsage.rss() - before.bytes;
    // The pixels of all 60 would be 540 MB.
    assert.ok(grown < 200 * MIB, `${grown / MIB} MiB`);
    // libvips starts and ends threads as it needs them; 60 lost ones would show.
    assert.ok(threads() <= before.threads + 8, `${before.threads} threads before, now ${threads()}`);
    assert.equal(restarts, 0);
  } finally {
    await pool.close();
  }
});

const threads = () => readdirSync('/proc/self/task').length;
