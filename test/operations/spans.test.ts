import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { propagation, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  BasicTracerProvider,
  BatchSpanProcessor,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { build } from 'esbuild';
import { flushSpans } from '../../host/observability/flush-spans.ts';
import { parseTraceparent } from '../../host/observability/trace-context.ts';
import { DEADLINE_MS, picture, wireBody } from '../http/service.ts';
import { InProcessService } from '../http/support/in-process-service.ts';
import { bytesOf, exchangeRaw, parseResponse, rawRequest } from '../http/support/raw-request.ts';

const TRACE = '0af7651916cd43dd8448eb211c80319c';
const PARENT = 'b7ad6b7169203331';
const logo = picture('logo.png');

describe('traceparent', () => {
  const valid = [
    `00-${TRACE}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-00`,
    `00-${TRACE}-${PARENT}-ff`,
    `cc-${TRACE}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01-what-the-future-brings`,
  ];
  for (const header of valid)
    test(`${header} is read`, () => {
      const { traceId, spanId, traceFlags, isRemote } = parseTraceparent(header) ?? assert.fail();
      const flags = Number.parseInt(header.slice(53, 55), 16);
      assert.deepEqual([traceId, spanId, traceFlags, isRemote], [TRACE, PARENT, flags, true]);
    });

  const invalid = [
    undefined,
    '',
    `00-${TRACE}-${PARENT}`,
    `00-${TRACE}-${PARENT}-01-`,
    `00-${TRACE}-${PARENT}-01-more`,
    `cc-${TRACE}-${PARENT}-01.more`,
    `ff-${TRACE}-${PARENT}-01`,
    `0-${TRACE}-${PARENT}-01`,
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE.slice(1)}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}0-01`,
    `00-${TRACE}-${PARENT}-1`,
    `00-${TRACE}-${PARENT}-0x`,
    `00-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01, 00-${TRACE}-${PARENT}-01`,
  ];
  for (const header of invalid)
    test(`${header} is ignored`, () => assert.equal(parseTraceparent(header), undefined));
});

describe('spans', () => {
  const exporter = new InMemorySpanExporter();
  let inside: InProcessService;
  before(async () => {
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] }),
    );
    inside = await InProcessService.start({ trustedProxies: 1 });
  });
  after(async () => {
    await inside.stop();
    trace.disable();
    propagation.disable();
  });
  beforeEach(() => exporter.reset());

  /** The spans of one request, by name; the server span ends last. */
  async function spansOf(request: Partial<ReturnType<typeof rawRequest>>, extra: [string, string][] = []) {
    const base = { ...rawRequest(inside.key, wireBody(logo)), ...request };
    const bytes = bytesOf({ ...base, headers: [...base.headers, ...extra] });
    const response = parseResponse(await exchangeRaw(inside.port, bytes));
    const deadline = Date.now() + DEADLINE_MS;
    const isServer = (span: ReadableSpan) => span.kind === SpanKind.SERVER;
    while (!exporter.getFinishedSpans().some(isServer)) {
      if (Date.now() > deadline) throw new Error('no server span');
      await sleep(5);
    }
    const spans = exporter.getFinishedSpans();
    const server = spans.filter(isServer);
    assert.equal(server.length, 1);
    return { response, server: server[0] as ReadableSpan, steps: spans.filter((span) => !isServer(span)) };
  }

  test('a request is a server span in the caller’s trace, with a child for each step', async () => {
    const { response, server, steps } = await spansOf({}, [
      ['Traceparent', `00-${TRACE}-${PARENT}-01`],
      ['X-Forwarded-For', '192.0.2.7'],
      ['X-Request-Id', 'spanned'],
      ['User-Agent', 'test/1'],
    ]);
    assert.equal(server.name, 'POST /v1/vectorize');
    assert.equal(server.spanContext().traceId, TRACE);
    assert.equal(server.parentSpanContext?.spanId, PARENT);
    const { 'network.peer.port': peerPort, ...attributes } = server.attributes;
    assert.equal(typeof peerPort, 'number');
    assert.match(String(attributes['network.peer.address']), /127\.0\.0\.1$|^::1$/);
    assert.match(String(attributes['tracesmith.key.id']), /^[\da-f]{12}$/);
    delete attributes['network.peer.address'];
    delete attributes['tracesmith.key.id'];
    assert.deepEqual(attributes, {
      'http.request.method': 'POST',
      'url.path': '/v1/vectorize',
      'url.scheme': 'http',
      'network.protocol.version': '1.1',
      'server.address': 'localhost',
      'user_agent.original': 'test/1',
      'client.address': '192.0.2.7',
      'http.route': '/v1/vectorize',
      'http.response.status_code': 200,
      'http.request.body.size': wireBody(logo).length,
      'http.response.body.size': Buffer.byteLength(response.text),
      'tracesmith.request.id': 'spanned',
      'tracesmith.account': 'inside',
      'tracesmith.tier': 'pro',
      'tracesmith.image.format': 'png',
      'tracesmith.image.width': 256,
      'tracesmith.image.height': 256,
    });
    assert.equal(server.status.code, SpanStatusCode.UNSET);
    assert.deepEqual(
      steps.map((span) => span.name),
      ['upload', 'queue', 'decode', 'trace'],
    );
    let lastMs = timeOf(server.startTime);
    for (const step of steps) {
      assert.equal(step.parentSpanContext?.spanId, server.spanContext().spanId);
      assert.equal(step.spanContext().traceId, TRACE);
      assert.ok(timeOf(step.startTime) >= lastMs - 1, `${step.name} starts after the step before it`);
      lastMs = timeOf(step.endTime);
    }
    assert.ok(timeOf(server.endTime) >= lastMs - 1);
  });

  test('a client’s error is told but is none of the span; a server’s is', async () => {
    const rejected = await spansOf({
      body: Buffer.from('-'),
      headers: [
        ['Host', 'localhost'],
        ['Content-Length', '1'],
      ],
    });
    assert.equal(rejected.server.attributes['error.type'], 'missing_credentials');
    assert.equal(rejected.server.attributes['http.response.status_code'], 401);
    assert.equal(rejected.server.status.code, SpanStatusCode.UNSET);
    exporter.reset();
    const giveBack = inside.useUpTransferMemory();
    const failed = await spansOf({}).finally(giveBack);
    assert.equal(failed.server.attributes['error.type'], 'overloaded');
    assert.equal(failed.server.status.code, SpanStatusCode.ERROR);
  });

  test('an unknown path or method is no part of a name', async () => {
    const headers: [string, string][] = [
      ['Host', 'localhost'],
      ['Connection', 'close'],
    ];
    const { server } = await spansOf({ method: 'PURGE', path: '/a?secret', headers, body: Buffer.alloc(0) });
    assert.equal(server.name, 'HTTP');
    assert.equal(server.attributes['http.request.method'], '_OTHER');
    assert.equal(server.attributes['http.request.method_original'], 'PURGE');
    assert.equal(server.attributes['url.path'], '/a');
    assert.ok(!('http.route' in server.attributes) && !JSON.stringify(server.attributes).includes('secret'));
  });

  test('the context comes from the SDK’s propagator, if it finds one', async () => {
    const spanContext = { traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), traceFlags: 1, isRemote: true };
    propagation.setGlobalPropagator({
      inject() {},
      extract: (context, carrier) =>
        (carrier as Record<string, string>).b3 === 'yes'
          ? trace.setSpanContext(context, spanContext)
          : context,
      fields: () => ['b3'],
    });
    const { server } = await spansOf({}, [
      ['b3', 'yes'],
      ['Traceparent', `00-${TRACE}-${PARENT}-01`],
    ]);
    assert.equal(server.spanContext().traceId, spanContext.traceId);
    exporter.reset();
    const other = await spansOf({}, [['Traceparent', `00-${TRACE}-${PARENT}-01`]]);
    assert.equal(other.server.spanContext().traceId, TRACE);
  });
});

describe('the end of the process', () => {
  after(() => trace.disable());

  test('waits for spans that an SDK still holds, and for no failing exporter', async () => {
    const exporter = new InMemorySpanExporter();
    const processor = new BatchSpanProcessor(exporter, { scheduledDelayMillis: DEADLINE_MS });
    trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [processor] }));
    trace.getTracer('test').startSpan('held').end();
    assert.equal(exporter.getFinishedSpans().length, 0);
    await flushSpans();
    assert.equal(exporter.getFinishedSpans().length, 1);
    trace.disable();
    const failing = Object.assign(new BasicTracerProvider(), {
      forceFlush: () => Promise.reject(new Error('no')),
    });
    trace.setGlobalTracerProvider(failing);
    await flushSpans();
    trace.disable();
    await flushSpans();
  });
});

test('a bundle with its own copy of the API gives its spans to an SDK that was loaded before', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tracesmith-'));
  try {
    const [span, flush] = ['request-span.ts', 'flush-spans.ts'].map((name) =>
      JSON.stringify(fileURLToPath(new URL(`../../host/observability/${name}`, import.meta.url))),
    );
    const contents = `import { RequestSpan } from ${span};
      import { flushSpans } from ${flush};
      const request = { method: 'GET', url: '/livez', headers: {}, socket: {}, httpVersion: '1.1' };
      new RequestSpan(request, '192.0.2.7').end({ route: '/livez', status: 200, code: '', attributes: {}, steps: [] });
      flushSpans().then(() => process.exit());`;
    const bundle = join(folder, 'bundle.mjs');
    await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      platform: 'node',
      format: 'esm',
      // Packages in CommonJS need it.
      banner: { js: "import { createRequire } from 'node:module'; const require = createRequire('/');" },
      outfile: bundle,
      logLevel: 'silent',
    });
    const sdk = join(folder, 'sdk.mjs');
    const [api, base] = ['@opentelemetry/api', '@opentelemetry/sdk-trace-base'].map((name) =>
      JSON.stringify(import.meta.resolve(name)),
    );
    writeFileSync(
      sdk,
      `import { trace } from ${api};
      import { BasicTracerProvider, BatchSpanProcessor } from ${base};
      const exporter = { export: (spans, done) => { for (const { name } of spans) console.log(name); done({ code: 0 }); }, shutdown: async () => {} };
      trace.setGlobalTracerProvider(new BasicTracerProvider({ spanProcessors: [new BatchSpanProcessor(exporter)] }));`,
    );
    const { stdout } = await promisify(execFile)(process.execPath, ['--import', sdk, bundle], {
      timeout: DEADLINE_MS,
    });
    assert.equal(stdout, 'GET /livez\n');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

const timeOf = ([seconds, nanoseconds]: [number, number]) => seconds * 1000 + nanoseconds / 1e6;
