import { authenticate } from '../auth/authenticate.ts';
import { type AnswerType, JSON_TYPE, negotiate, SVG_TYPE } from '../http/content-negotiation.ts';
import type { Exchange } from '../http/request-context.ts';
import type { Answer } from '../http/send-response.ts';
import { identify, measure } from '../image/inspect.ts';
import type { Release } from '../limits/release.ts';
import { Timings } from '../observability/step-timings.ts';
import { convert } from '../tracing/decode-and-trace.ts';
import { needOf } from '../tracing/memory-estimate.ts';
import { overloaded } from '../tracing/queue.ts';
import { readConfig } from '../upload/parse-options.ts';
import { checkBodyHeaders, readUpload } from '../upload/read-multipart.ts';
import type { Service } from './dependencies.ts';

const MEMORY_RETRY_MS = 1_000;

/** `POST /v1/vectorize`. The order of the checks is part of the contract. */
export async function vectorize(exchange: Exchange, service: Service): Promise<Answer> {
  const { request, gone } = exchange;
  const { settings, rates, pool } = service;
  const times = new Timings();
  exchange.atEnd(() => service.metrics.stepsTook(times));

  const account = authenticate(request, service.keys, settings);
  exchange.fields.account = account.id;
  exchange.addHeaders(rates.peek(account));
  exchange.atEnd(service.concurrency.enter(account));
  const pass = rates.pass(account);
  exchange.addHeaders(pass.headers);
  exchange.ifGivenBack(() => {
    pass.giveBack();
    exchange.addHeaders(rates.peek(account));
  });
  const type = negotiate(request.headers.accept);
  const headers = checkBodyHeaders(request, settings);
  exchange.atEnd(admit(service, headers.maxBytes));
  exchange.invite();
  const upload = await times.measure('upload', () =>
    readUpload({ request, headers, settings, signal: gone, readConfig }),
  );
  const format = identify(upload.file);
  const size = await measure(upload.file, format, settings);
  Object.assign(exchange.fields, { format, ...size });
  const queuedMs = performance.now();
  const { drawing } = await service.queue.run(needOf(size), gone, () => {
    times.add('queue', performance.now() - queuedMs);
    const form = type === SVG_TYPE ? 'svg' : 'json';
    return convert({ ...upload, format, form }, { pool, limits: settings, gone }, times);
  });
  // Callers who do not read their answers must not fill the memory.
  exchange.atEnd(hold(service, drawing.length));
  return answerWith(drawing, type, times);
}

/** Refuses before any of the body is read, when there is no time or memory for it. */
function admit(service: Service, bytes: number): Release {
  service.queue.refuseIfBusy();
  return hold(service, bytes);
}

/** Takes memory for bytes on their way. */
function hold(service: Service, bytes: number): Release {
  const release = service.transfers.take(bytes);
  if (release === undefined) throw overloaded(MEMORY_RETRY_MS);
  return release;
}

/** Sent with a bare SVG: opened as a page of its own, it can run and load nothing. */
const SANDBOX = { 'Content-Security-Policy': "default-src 'none'; style-src 'unsafe-inline'; sandbox" };

/** The drawing has the form that its type wants already: here it is only put in its place. */
function answerWith(drawing: Uint8Array, type: AnswerType, times: Timings): Answer {
  const timing = { 'Server-Timing': times.header() };
  if (type === SVG_TYPE)
    return { status: 200, headers: { 'Content-Type': SVG_TYPE, ...SANDBOX, ...timing }, body: [drawing] };
  const head = Buffer.from('{"svg":');
  const tail = Buffer.from(`,"processingTime":${JSON.stringify(times.processingMs)}}`);
  return { status: 200, headers: { 'Content-Type': JSON_TYPE, ...timing }, body: [head, drawing, tail] };
}
